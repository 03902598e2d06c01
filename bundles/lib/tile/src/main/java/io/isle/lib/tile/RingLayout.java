package io.isle.lib.tile;

import java.lang.foreign.MemorySegment;

/**
 * Where the parts of a ring of AF_XDP lie in its memory.
 *
 * @param producer offset of the producer's index, a u32; a multiple of 4
 * @param consumer offset of the consumer's index, a u32; a multiple of 4
 * @param flags offset of the kernel's flags, a u32; a multiple of 4
 * @param entries offset of the entries; a multiple of 8
 * @param size number of entries, a power of two, at most 2^30
 * @param entryBytes {@link #ADDRESS_BYTES} or {@link #DESCRIPTOR_BYTES}
 */
public record RingLayout(
    long producer, long consumer, long flags, long entries, int size, int entryBytes) {
  /** Bytes of an entry of FILL and COMPLETION: a frame's address in the UMEM, a u64. */
  public static final int ADDRESS_BYTES = 8;

  /** Bytes of an entry of RX and TX: address, a u64; length and options, u32. */
  public static final int DESCRIPTOR_BYTES = 16;

  private static final int MOST = 1 << 30;

  /** Refuses offsets and sizes that no ring has, by IllegalArgumentException. */
  public RingLayout {
    word("producer", producer);
    word("consumer", consumer);
    word("flags", flags);
    if (entries < 0 || entries % Long.BYTES != 0) {
      throw new IllegalArgumentException("entries at " + entries + " are not aligned to 8 bytes");
    }
    if (Integer.bitCount(size) != 1 || size < 1 || size > MOST) {
      throw new IllegalArgumentException(
          "size " + size + " is no power of two within 1 to " + MOST);
    }
    if (entryBytes != ADDRESS_BYTES && entryBytes != DESCRIPTOR_BYTES) {
      throw new IllegalArgumentException(
          "entries have "
              + ADDRESS_BYTES
              + " or "
              + DESCRIPTOR_BYTES
              + " bytes, not "
              + entryBytes);
    }
  }

  private static void word(String name, long offset) {
    if (offset < 0 || offset % Integer.BYTES != 0) {
      throw new IllegalArgumentException(name + " at " + offset + " is not aligned to 4 bytes");
    }
  }

  /** Bytes of memory that the ring needs. */
  public long bytes() {
    long words = Math.max(Math.max(producer, consumer), flags) + Integer.BYTES;
    return Math.max(words, entries + (long) size * entryBytes);
  }

  /** Refuses memory that is smaller than the ring, by IllegalArgumentException. */
  void requireWithin(MemorySegment memory) {
    if (memory.byteSize() < bytes()) {
      throw new IllegalArgumentException(
          "the ring needs " + bytes() + " bytes, the memory has " + memory.byteSize());
    }
  }
}
