package io.isle.api.net;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Headers of Ethernet, IPv4 and UDP: places, and the writing of frames to send. */
final class UdpHeaders {
  static final int ETHERNET_BYTES = 14;
  static final int IPV4_BYTES = 20;
  static final int UDP_BYTES = 8;
  static final int BYTES = ETHERNET_BYTES + IPV4_BYTES + UDP_BYTES;

  static final int TYPE_IPV4 = 0x0800;
  static final int PROTOCOL_UDP = 17;
  static final int FRAGMENT = 6;
  static final int MORE_OR_OFFSET = 0x3FFF;
  static final int PROTOCOL = 9;
  static final int SOURCE = 12;
  static final int DESTINATION = 16;
  static final int LENGTH = 4;

  private static final int VERSION_AND_LENGTH = 0x4500;
  private static final int TOTAL_LENGTH = 2;
  private static final int IDENTIFICATION = 4;
  private static final int TIME_TO_LIVE = 8;
  private static final int CHECKSUM = 10;
  private static final int DO_NOT_FRAGMENT = 0x4000;
  private static final int HOPS = 64;
  private static final int HASH_SHIFT = 44;

  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;

  private UdpHeaders() {}

  static int u8(MemorySegment memory, long at) {
    return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at));
  }

  static int u16(MemorySegment memory, long at) {
    return Short.toUnsignedInt(memory.get(U16, at));
  }

  static int u32(MemorySegment memory, long at) {
    return memory.get(U32, at);
  }

  private static void u16(MemorySegment memory, long at, int value) {
    memory.set(U16, at, (short) value);
  }

  /**
   * Writes all headers of a datagram: those of Ethernet without addresses, that of IPv4 with its
   * checksum, that of UDP without one.
   */
  static void write(
      MemorySegment memory,
      long at,
      int source,
      int sourcePort,
      int destination,
      int destinationPort,
      int payload) {
    long ip = at + ETHERNET_BYTES;
    long udp = ip + IPV4_BYTES;
    memory.set(U64, at, 0);
    memory.set(U32, at + 8, 0);
    u16(memory, ip - 2, TYPE_IPV4);
    u16(memory, ip, VERSION_AND_LENGTH);
    u16(memory, ip + TOTAL_LENGTH, IPV4_BYTES + UDP_BYTES + payload);
    memory.set(U32, ip + IDENTIFICATION, DO_NOT_FRAGMENT);
    u16(memory, ip + TIME_TO_LIVE, HOPS << 8 | PROTOCOL_UDP);
    u16(memory, ip + CHECKSUM, 0);
    memory.set(U32, ip + SOURCE, source);
    memory.set(U32, ip + DESTINATION, destination);
    u16(memory, ip + CHECKSUM, checksum(memory, ip));
    u16(memory, udp, sourcePort);
    u16(memory, udp + 2, destinationPort);
    memory.set(U32, udp + LENGTH, (UDP_BYTES + payload) << Short.SIZE);
  }

  private static int checksum(MemorySegment memory, long ip) {
    int sum = 0;
    for (int i = 0; i < IPV4_BYTES; i += 2) {
      sum += u16(memory, ip + i);
    }
    sum = (sum & 0xFFFF) + (sum >>> 16);
    return ~((sum & 0xFFFF) + (sum >>> 16)) & 0xFFFF;
  }

  /**
   * The signature of a frame to send without options: the destination, and the low 20 bits of the
   * hash of its flow (finaliser of MurmurHash3).
   */
  static long signature(int destination, int destinationPort) {
    long address = Integer.toUnsignedLong(Integer.reverseBytes(destination));
    long hash = address | (long) destinationPort << Integer.SIZE;
    hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
    return address | (hash ^ hash >>> 33) << HASH_SHIFT;
  }
}
