package io.isle.spin.nic.offline;

/**
 * Why a handler has not returned.
 *
 * @param cause as in {@code isle_spin.h}, 1 or more
 * @param instruction offset in the image; 0 outside of it
 * @param address what was accessed
 */
public record TaskTrap(int cause, int instruction, long address) {}
