package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;

/**
 * The header of an IPv4 packet: 20 bytes and up to 40 bytes of options. Addresses are ints with the
 * first number highest: 10.0.0.1 is 0x0A000001. Offsets are those of the header's first byte. Pure
 * functions, safe for any thread. Allocates nothing.
 */
public final class Ipv4 {
  /** Bytes of a header without options. */
  public static final int MIN_HEADER_BYTES = 20;

  /** Bytes of the longest header. */
  public static final int MAX_HEADER_BYTES = 60;

  /** Most bytes of a packet, with the header. */
  public static final int MAX_BYTES = 65535;

  /** Protocol of UDP. */
  public static final int PROTOCOL_UDP = 17;

  /** Protocol of GRE. */
  public static final int PROTOCOL_GRE = 47;

  static final int CHECKSUM = 10;
  static final int SOURCE = 12;
  private static final int TOTAL_LENGTH = 2;
  private static final int IDENTIFICATION = 4;
  private static final int FRAGMENT = 6;
  private static final int TIME_TO_LIVE = 8;
  private static final int PROTOCOL = 9;
  private static final int DESTINATION = 16;

  private static final int DONT_FRAGMENT = 0x4000;
  private static final int MORE_OR_OFFSET = 0x3FFF;

  private Ipv4() {}

  /** Version, 4 in a valid header; 0 to 15. */
  public static int version(MemorySegment memory, long offset) {
    return Fields.u8(memory, offset) >>> 4;
  }

  /** Bytes of the header by its own field: 0 to 60, of which less than 20 are invalid. */
  public static int headerBytes(MemorySegment memory, long offset) {
    return (Fields.u8(memory, offset) & 0xF) << 2;
  }

  /** Bytes of the packet with its header by its own field; 0 to 65535. */
  public static int totalLength(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset + TOTAL_LENGTH);
  }

  /** Number that the fragments of one packet share; 0 to 65535. */
  public static int identification(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset + IDENTIFICATION);
  }

  /** Whether the packet is a part of a larger one: the first, the last or between. */
  public static boolean isFragment(MemorySegment memory, long offset) {
    return (Fields.u16(memory, offset + FRAGMENT) & MORE_OR_OFFSET) != 0;
  }

  /** Hops that are left; 0 to 255. */
  public static int timeToLive(MemorySegment memory, long offset) {
    return Fields.u8(memory, offset + TIME_TO_LIVE);
  }

  /** Protocol of the payload, such as {@link #PROTOCOL_UDP}; 0 to 255. */
  public static int protocol(MemorySegment memory, long offset) {
    return Fields.u8(memory, offset + PROTOCOL);
  }

  /** The header's checksum field; 0 to 65535. */
  public static int checksum(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset + CHECKSUM);
  }

  /** Address of the sender. */
  public static int source(MemorySegment memory, long offset) {
    return Fields.u32(memory, offset + SOURCE);
  }

  /** Address of the receiver. */
  public static int destination(MemorySegment memory, long offset) {
    return Fields.u32(memory, offset + DESTINATION);
  }

  /** Whether an address is one of a group: 224.0.0.0 to 239.255.255.255. */
  public static boolean isMulticast(int address) {
    return address >>> 28 == 0xE;
  }

  /** Writes the source and leaves the checksum. */
  public static void source(MemorySegment memory, long offset, int address) {
    Fields.u32(memory, offset + SOURCE, address);
  }

  /** Writes the destination and leaves the checksum. */
  public static void destination(MemorySegment memory, long offset, int address) {
    Fields.u32(memory, offset + DESTINATION, address);
  }

  /** Computes the checksum of a header of 20 to 60 bytes and writes the checksum. */
  public static void seal(MemorySegment memory, long offset) {
    Fields.u16(memory, offset + CHECKSUM, 0);
    Fields.u16(
        memory,
        offset + CHECKSUM,
        InternetChecksum.of(memory, offset, headerBytes(memory, offset)));
  }

  /** Whether the checksum of a header of 20 to 60 bytes is right. */
  public static boolean isSealed(MemorySegment memory, long offset) {
    return InternetChecksum.of(memory, offset, headerBytes(memory, offset)) == 0;
  }

  /**
   * Writes a header of 20 bytes that forbids fragments and lives for 64 hops, with its checksum.
   *
   * @param totalLength bytes of the packet with this header, 20 to 65535
   * @param identification 0 to 65535
   * @param protocol such as {@link #PROTOCOL_UDP}
   */
  public static void write(
      MemorySegment memory,
      long offset,
      int totalLength,
      int identification,
      int protocol,
      int source,
      int destination) {
    Fields.u16(memory, offset, 0x4500);
    Fields.u16(memory, offset + TOTAL_LENGTH, totalLength);
    Fields.u16(memory, offset + IDENTIFICATION, identification);
    Fields.u16(memory, offset + FRAGMENT, DONT_FRAGMENT);
    Fields.u8(memory, offset + TIME_TO_LIVE, 64);
    Fields.u8(memory, offset + PROTOCOL, protocol);
    Fields.u32(memory, offset + SOURCE, source);
    Fields.u32(memory, offset + DESTINATION, destination);
    seal(memory, offset);
  }

  /** An address as four decimal numbers. */
  public static String text(int address) {
    return (address >>> 24)
        + "."
        + (address >>> 16 & 0xFF)
        + "."
        + (address >>> 8 & 0xFF)
        + "."
        + (address & 0xFF);
  }

  /**
   * Reads an address of four decimal numbers from 0 to 255, without leading zeros.
   *
   * @throws IllegalArgumentException with a text for the user
   */
  public static int parse(String text) {
    String[] numbers = text.split("\\.", -1);
    int address = 0;
    for (String number : numbers) {
      if (numbers.length != 4 || !number.matches("0|[1-9][0-9]{0,2}")) {
        throw wrong(text);
      }
      int value = Integer.parseInt(number);
      if (value > 255) {
        throw wrong(text);
      }
      address = address << 8 | value;
    }
    return address;
  }

  private static IllegalArgumentException wrong(String text) {
    String begin = text.length() > 40 ? text.substring(0, 40) + "..." : text;
    return new IllegalArgumentException(
        "'" + begin.replaceAll("[^\\x20-\\x7E]", "?") + "' is not an IPv4 address A.B.C.D");
  }
}
