package io.isle.api.spin;

/**
 * A context changed its state. Immutable.
 *
 * @param timestampNs time of {@link io.isle.api.base.MonotonicClock}
 * @param reason empty if it was attached
 */
public record ContextEvent(
    long timestampNs, String nic, String context, ContextState state, String reason) {}
