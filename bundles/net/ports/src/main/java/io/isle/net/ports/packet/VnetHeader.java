package io.isle.net.ports.packet;

import io.isle.lib.packet.InternetChecksum;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What precedes a frame of an interface: structure virtio_net_hdr {u8 flags, u8 kind of
 * segmentation, u16 header length, u16 segment size, u16 checksum start, u16 checksum offset}, in
 * the byte order of the machine. Pure functions, safe for any thread. Allocates nothing.
 */
final class VnetHeader {
  /** Bytes of the structure. */
  static final int BYTES = 10;

  private static final long SEGMENTATION = 1;
  private static final long CHECKSUM_START = 6;
  private static final long CHECKSUM_OFFSET = 8;
  private static final int NEEDS_CHECKSUM = 1;

  private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfShort BIG_U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private VnetHeader() {}

  /** Writes a header that asks for nothing. */
  static void clear(MemorySegment memory, long offset) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, 0);
    memory.set(U16, offset + Long.BYTES, (short) 0);
  }

  /**
   * Makes a frame as it is on the wire: computes the checksum that the sender left to a device.
   *
   * @param offset of the header; the frame follows
   * @param length bytes of the frame, all of them in {@code memory}
   * @return false for a frame that is to be cut into several, and for a checksum outside of the
   *     frame
   */
  static boolean complete(MemorySegment memory, long offset, int length) {
    if (memory.get(ValueLayout.JAVA_BYTE, offset + SEGMENTATION) != 0) {
      return false;
    }
    if ((memory.get(ValueLayout.JAVA_BYTE, offset) & NEEDS_CHECKSUM) == 0) {
      return true;
    }
    int start = u16(memory, offset + CHECKSUM_START);
    int place = start + u16(memory, offset + CHECKSUM_OFFSET);
    if (start > length || place + Short.BYTES > length) {
      return false;
    }
    long frame = offset + BYTES;
    int checksum = InternetChecksum.of(memory, frame + start, length - start);
    // 0 stands for no checksum in UDP; elsewhere both are the same
    memory.set(BIG_U16, frame + place, (short) (checksum == 0 ? 0xFFFF : checksum));
    return true;
  }

  private static int u16(MemorySegment memory, long at) {
    return Short.toUnsignedInt(memory.get(U16, at));
  }
}
