package io.isle.api.net.tile;

import java.lang.foreign.MemorySegment;

/**
 * A ring that a socket shares with the kernel, as mapped.
 *
 * @param memory of the whole mapping, aligned to 8 bytes
 * @param producer offset of the producer's index, a u32
 * @param consumer offset of the consumer's index, a u32
 * @param flags offset of the flags, a u32
 * @param entries offset of the entries
 * @param size number of entries, a power of two
 */
public record RingMemory(
    MemorySegment memory, long producer, long consumer, long flags, long entries, int size) {}
