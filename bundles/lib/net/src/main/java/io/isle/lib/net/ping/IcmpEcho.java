package io.isle.lib.net.ping;

import io.isle.lib.packet.InternetChecksum;
import io.isle.lib.packet.Ipv4;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Echo requests of ICMP, and answers with the headers of IPv4 as raw sockets receive them. */
final class IcmpEcho {
  static final int HEADER_BYTES = 8;

  private static final int REQUEST = 8;
  private static final int ANSWER = 0;
  private static final int CHECKSUM = 2;
  private static final int ID = 4;
  private static final int SEQUENCE = 6;
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private IcmpEcho() {}

  /**
   * Writes the header of a request before its payload.
   *
   * @param length bytes from the header to the end of the payload
   * @param sequence its lower 16 bits count
   */
  static void write(MemorySegment memory, int length, int id, int sequence) {
    memory.set(U16, 0, (short) (REQUEST << 8));
    memory.set(U16, CHECKSUM, (short) 0);
    memory.set(U16, ID, (short) id);
    memory.set(U16, SEQUENCE, (short) sequence);
    memory.set(U16, CHECKSUM, (short) InternetChecksum.of(memory, 0, length));
  }

  /**
   * Place of the header of ICMP in a packet; -1 if the packet is not an answer to this id.
   *
   * @param length bytes that were received
   */
  static int find(MemorySegment packet, int length, int id) {
    if (length < Ipv4.MIN_HEADER_BYTES) {
      return -1;
    }
    int at = Ipv4.headerBytes(packet, 0);
    boolean answer =
        at >= Ipv4.MIN_HEADER_BYTES
            && length >= at + HEADER_BYTES
            && packet.get(U16, at) == ANSWER << 8
            && Short.toUnsignedInt(packet.get(U16, at + ID)) == id;
    return answer ? at : -1;
  }

  /** Whether header and payload have the right checksum and sequence number. */
  static boolean isIntact(MemorySegment packet, int at, int length, int sequence) {
    return InternetChecksum.of(packet, at, length) == 0
        && packet.get(U16, at + SEQUENCE) == (short) sequence;
  }
}
