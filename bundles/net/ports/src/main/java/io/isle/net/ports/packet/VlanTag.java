package io.isle.net.ports.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The tag of a virtual network, behind both addresses of a frame. Allocates nothing. */
final class VlanTag {
  /** Bytes of a tag. */
  static final int BYTES = 4;

  private static final int ADDRESSES = 12;
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private VlanTag() {}

  /**
   * Puts a tag into a frame, which then begins 4 bytes earlier.
   *
   * @param offset of the frame before, 4 or more
   * @param tag the four bytes, first one highest
   */
  static void insert(MemorySegment memory, long offset, int tag) {
    long begin = offset - BYTES;
    MemorySegment.copy(memory, offset, memory, begin, ADDRESSES);
    memory.set(U32, begin + ADDRESSES, tag);
  }
}
