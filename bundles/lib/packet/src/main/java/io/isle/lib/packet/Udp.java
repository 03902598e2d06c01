package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;

/**
 * The header of a UDP datagram: 8 bytes. Offsets are those of the header's first byte. Pure
 * functions, safe for any thread. Allocates nothing.
 */
public final class Udp {
  /** Bytes of the header. */
  public static final int HEADER_BYTES = 8;

  static final int CHECKSUM = 6;
  private static final int DESTINATION = 2;
  private static final int LENGTH = 4;

  private Udp() {}

  /** Port of the sender; 0 to 65535. */
  public static int sourcePort(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset);
  }

  /** Port of the receiver; 0 to 65535. */
  public static int destinationPort(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset + DESTINATION);
  }

  /** Bytes of the datagram with its header by its own field; 0 to 65535, less than 8 is invalid. */
  public static int length(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset + LENGTH);
  }

  /** The checksum field; 0 without a checksum. */
  public static int checksum(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset + CHECKSUM);
  }

  /** Writes the checksum field; 0 for none. */
  public static void checksum(MemorySegment memory, long offset, int checksum) {
    Fields.u16(memory, offset + CHECKSUM, checksum);
  }

  /**
   * Writes a header without a checksum.
   *
   * @param length bytes of the datagram with this header, 8 to 65535
   */
  public static void write(
      MemorySegment memory, long offset, int sourcePort, int destinationPort, int length) {
    Fields.u16(memory, offset, sourcePort);
    Fields.u16(memory, offset + DESTINATION, destinationPort);
    Fields.u16(memory, offset + LENGTH, length);
    Fields.u16(memory, offset + CHECKSUM, 0);
  }

  /**
   * The checksum of a datagram with the addresses of its packet.
   *
   * @param ip offset of the header of IPv4
   * @param udp offset of the header of UDP; the datagram is as long as its field says
   * @return 1 to 65535
   */
  public static int computed(MemorySegment memory, long ip, long udp) {
    int length = length(memory, udp);
    int sum =
        InternetChecksum.sum(memory, ip + Ipv4.SOURCE, 8)
            + Ipv4.PROTOCOL_UDP
            + length
            + InternetChecksum.sum(memory, udp, length)
            + (~checksum(memory, udp) & 0xFFFF);
    int checksum = InternetChecksum.finish(sum);
    return checksum == 0 ? 0xFFFF : checksum;
  }

  /**
   * Whether the checksum covers addresses, protocol and length alone: a sender of this machine
   * leaves the rest to a device. Offsets as in {@link #computed}.
   */
  public static boolean isUnfinished(MemorySegment memory, long ip, long udp) {
    int sum =
        InternetChecksum.sum(memory, ip + Ipv4.SOURCE, 8) + Ipv4.PROTOCOL_UDP + length(memory, udp);
    return checksum(memory, udp) == (~InternetChecksum.finish(sum) & 0xFFFF);
  }

  /** Whether the datagram has no checksum or the right one; offsets as in {@link #computed}. */
  public static boolean isIntact(MemorySegment memory, long ip, long udp) {
    int checksum = checksum(memory, udp);
    return checksum == 0 || checksum == computed(memory, ip, udp);
  }
}
