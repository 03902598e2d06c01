package io.isle.api.spin;

/**
 * A snapshot of an execution context. Immutable.
 *
 * @param slot 0 to 3; -1 when detached
 * @param handlers name of the handlers
 * @param rules text form
 * @param tenant that attached it
 * @param group of the tenant
 * @param configured whether it is one of {@code io.isle.spin-NAME.cfg}
 * @param reason of its state; empty when attached
 * @param slots packets that it holds
 * @param stats counters
 */
public record ContextInfo(
    String name,
    String nic,
    int slot,
    String handlers,
    String rules,
    String tenant,
    String group,
    boolean configured,
    ContextState state,
    String reason,
    int slots,
    ContextStats stats) {}
