package io.isle.api.spin;

/**
 * A handler did not return. Immutable.
 *
 * @param timestampNs time of {@link io.isle.api.base.MonotonicClock}
 * @param handler {@code header}, {@code packet} or {@code tail}
 * @param cause such as {@code access} or {@code cpu_time}
 * @param instruction offset in the image; 0 if it is not known
 * @param address that was accessed; 0 for other causes
 */
public record TrapEvent(
    long timestampNs,
    String nic,
    String context,
    String handler,
    int hpu,
    String cause,
    long instruction,
    long address) {}
