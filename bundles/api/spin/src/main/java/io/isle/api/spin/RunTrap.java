package io.isle.api.spin;

/**
 * A handler did not return. Immutable.
 *
 * @param packet index of the packet, from 0
 * @param handler {@code header}, {@code packet} or {@code tail}
 * @param cause such as {@code access} or {@code cpu_time}
 * @param instruction offset in the image; 0 if it is not known
 * @param function with this instruction; empty if it is not known
 * @param address that was accessed; 0 for other causes
 */
public record RunTrap(
    long packet,
    String handler,
    int hpu,
    String cause,
    long instruction,
    String function,
    long address) {}
