package io.isle.api.spin;

/**
 * A message ended without its tail handler. Immutable.
 *
 * @param timestampNs time of {@link io.isle.api.base.MonotonicClock}
 * @param message its id
 * @param reason {@code timeout}, {@code room}, {@code recovery}, {@code detach} or {@code swap}
 */
public record AbortEvent(
    long timestampNs, String nic, String context, long message, String reason) {}
