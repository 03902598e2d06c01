package io.isle.lib.tango;

import java.lang.foreign.MemorySegment;

/**
 * Places of payloads in memory, counted in chunks of 64 bytes from a base. The memory is that of a
 * {@link Dcache}, or frames of network sockets. Payloads of a ring follow each other at multiples
 * of 128 bytes, and begin in {@code chunk0} to {@code wmark}, so each has room for {@code mtu}
 * bytes. Methods of the data path allocate and throw nothing. Immutable.
 */
public final class Chunks {
  /** Bytes of a chunk. */
  public static final int BYTES = 64;

  /** Chunks are below this number. */
  static final long MOST = 0xffff_ffffL;

  /** Most bytes of a payload. */
  public static final int MOST_MTU = 65_535;

  static final int MOST_BURST = 65_536;

  private static final int SHIFT = 6;
  private static final int SLOT = 2 * BYTES;

  private final MemorySegment memory;
  private final long chunk0;
  private final long chunk1;
  private final int mtu;
  private final long wmark;

  private Chunks(MemorySegment memory, long chunk0, long chunk1, int mtu) {
    this.memory = memory;
    this.chunk0 = chunk0;
    this.chunk1 = chunk1;
    this.mtu = mtu;
    this.wmark = chunk1 - slot(mtu) / BYTES;
  }

  /**
   * Places of a region.
   *
   * @param memory from the base on, at a multiple of 128
   * @param from offset of the region, a multiple of 64
   * @param bytes of the region: room for one payload at least
   * @param mtu most bytes of a payload, 1 to {@link #MOST_MTU}
   * @throws IllegalArgumentException naming the limit
   */
  public static Chunks of(MemorySegment memory, long from, long bytes, int mtu) {
    requireMtu(mtu);
    if (from < 0 || from % BYTES != 0) {
      throw new IllegalArgumentException(
          "data " + from + " bytes behind the base of chunks are not at a multiple of " + BYTES);
    }
    if (bytes < slot(mtu) || bytes > memory.byteSize() - from) {
      throw new IllegalArgumentException(
          "data region of "
              + bytes
              + " bytes is not in "
              + slot(mtu)
              + " (one payload) .. "
              + Math.max(0, memory.byteSize() - from)
              + " (the memory)");
    }
    long chunk1 = from + bytes >> SHIFT;
    if (chunk1 > MOST) {
      throw new IllegalArgumentException(
          "data end "
              + (from + bytes)
              + " bytes behind the base of chunks, beyond "
              + MOST * BYTES);
    }
    return new Chunks(memory, from >> SHIFT, chunk1, mtu);
  }

  static void requireMtu(int mtu) {
    if (mtu < 1 || mtu > MOST_MTU) {
      throw new IllegalArgumentException("mtu " + mtu + " is not in 1.." + MOST_MTU);
    }
  }

  /** Bytes that a payload takes: rounded up to 128. */
  public static long slot(int size) {
    return size + (SLOT - 1L) & -SLOT;
  }

  /**
   * The largest mtu that a ring of {@code depth} lines has room for, a multiple of 128 unless the
   * limit of a payload's bytes is less. For a region that was made with a burst of one this is the
   * mtu of its maker, rounded up.
   *
   * @return 0 if the region has room for none
   */
  public static int largestMtu(long bytes, int depth) {
    return (int) Math.min(MOST_MTU, bytes / (depth + 2L) / SLOT * SLOT);
  }

  /**
   * Checks that a payload is overwritten only after its line is.
   *
   * @param depth lines of the mcache
   * @throws IllegalArgumentException naming the bytes that are needed
   */
  public void requireRoom(int depth) {
    long needed = (slot(mtu) / BYTES) * (depth + 2L) - 1;
    if (chunk1 - chunk0 < needed) {
      throw new IllegalArgumentException(
          "data region of "
              + (chunk1 - chunk0) * BYTES
              + " bytes is too small for mtu "
              + mtu
              + " at depth "
              + depth
              + ", which need "
              + needed * BYTES);
    }
  }

  /** The memory, from the base of chunks on. */
  public MemorySegment memory() {
    return memory;
  }

  /** First chunk of the region. */
  public long chunk0() {
    return chunk0;
  }

  /** The chunk behind the region. */
  public long chunk1() {
    return chunk1;
  }

  /** Last chunk at which a payload of a ring begins. */
  public long wmark() {
    return wmark;
  }

  /** Most bytes of a payload. */
  public int mtu() {
    return mtu;
  }

  /** Offset of a chunk in the memory. */
  public static long offset(long chunk) {
    return chunk << SHIFT;
  }

  /** Offset of a frame of a network socket, whose low 6 bits are in {@code ctl}. */
  public static long offset(long chunk, int ctl) {
    return chunk << SHIFT | ctl & BYTES - 1;
  }

  /** Whether a payload, rounded up to 128 bytes, lies in the region. */
  public boolean contains(long chunk, int size) {
    return chunk >= chunk0 && chunk <= chunk1 && slot(size) <= chunk1 - chunk << SHIFT;
  }

  /**
   * Whether the bytes of a frame lie in the region, at an offset as {@link #offset(long, int)}.
   *
   * @param size 0 to {@link #MOST_MTU}
   */
  public boolean containsBytes(long offset, int size) {
    return offset >= chunk0 << SHIFT && offset <= (chunk1 << SHIFT) - size;
  }

  /**
   * The place of the payload behind another one of a ring.
   *
   * @param chunk from {@link #chunk0} to {@link #wmark}
   * @param size 0 to {@link #mtu}
   */
  public long next(long chunk, int size) {
    long next = chunk + (slot(size) >> SHIFT);
    return next > wmark ? chunk0 : next;
  }
}
