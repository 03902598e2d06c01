package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header of each frame of dialect isle: 32 bytes, little-endian; the payload follows. Frames
 * follow each other on streams, are cut into chunks on datagrams, and lie one in a bank of shared
 * memory. Pure functions, safe for any thread. Allocates nothing, but for the sentence of a fault.
 */
public final class IsleFrame {
  /** First four bytes: "ISLE". */
  public static final int MAGIC = 0x454C5349;

  /** Version of the protocol. */
  public static final int VERSION = 1;

  /** Bytes of the header. */
  public static final int HEADER_BYTES = 32;

  /** Room for the largest frame without data, so the smallest capacity of a path. */
  public static final int MIN_CAPACITY = 1400;

  /** Kind: begins a path; see {@link Hello}. */
  public static final int HELLO = 1;

  /** Kind: a packet. Numbered. */
  public static final int DATA = 2;

  /** Kind: a control message of 162 bytes. Numbered, in order with data. */
  public static final int CONTROL = 3;

  /** Kind: see {@link Ack}. */
  public static final int ACK = 4;

  /** Kind: see {@link Heartbeat}. */
  public static final int HEARTBEAT = 5;

  /** Kind: missing chunks, on datagrams; see {@link Nack}. */
  public static final int NACK = 6;

  /** Kind: see {@link RollCall}. */
  public static final int ROLL_CALL = 7;

  /** Kind: see {@link Notice}. */
  public static final int NOTICE = 8;

  /** Kind: ends a path; see {@link Goodbye}. */
  public static final int GOODBYE = 9;

  /** Kind: a HELLO was refused; see {@link Refusal}. */
  public static final int REFUSAL = 10;

  static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final long MAGIC_AT = 0;
  static final long CRC_AT = 4;
  static final long VERSION_AT = 8;
  static final long KIND_AT = 9;
  static final long FLAGS_AT = 10;
  static final long LENGTH_AT = 12;
  static final long NUMBER_AT = 16;
  static final long TIME_AT = 24;

  private IsleFrame() {}

  /**
   * Writes a header; {@link FrameCrc#seal} completes it once the payload is there.
   *
   * @param number 1 and up for numbered kinds, else 0
   * @param length bytes of the payload
   * @param time in nanoseconds, of the sender's monotonic clock
   */
  public static void header(
      MemorySegment frame, long offset, int kind, long number, int length, long time) {
    frame.set(U32, offset + MAGIC_AT, MAGIC);
    frame.set(U32, offset + CRC_AT, 0);
    frame.set(U8, offset + VERSION_AT, (byte) VERSION);
    frame.set(U8, offset + KIND_AT, (byte) kind);
    frame.set(U16, offset + FLAGS_AT, (short) 0);
    frame.set(U32, offset + LENGTH_AT, length);
    frame.set(U64, offset + NUMBER_AT, number);
    frame.set(U64, offset + TIME_AT, time);
  }

  /** The kind, 0 to 255. */
  public static int kind(MemorySegment frame, long offset) {
    return frame.get(U8, offset + KIND_AT) & 0xFF;
  }

  /** Bytes of the payload, after {@link #fault} found none. */
  public static int length(MemorySegment frame, long offset) {
    return frame.get(U32, offset + LENGTH_AT);
  }

  /** Number of the frame; 0 for kinds without one. */
  public static long number(MemorySegment frame, long offset) {
    return frame.get(U64, offset + NUMBER_AT);
  }

  /** Time of sending, of the sender's clock. */
  public static long time(MemorySegment frame, long offset) {
    return frame.get(U64, offset + TIME_AT);
  }

  /** Whether frames of a kind are numbered, kept until acknowledged, and delivered in order. */
  public static boolean isNumbered(int kind) {
    return kind == DATA || kind == CONTROL;
  }

  /**
   * Checks a header of 32 bytes.
   *
   * @param mostData bytes of the largest packet
   * @return empty for a valid header; else the field, its value and the limit
   */
  public static String fault(MemorySegment frame, long offset, int mostData) {
    int magic = frame.get(U32, offset + MAGIC_AT);
    if (magic != MAGIC) {
      return "magic " + Integer.toHexString(magic) + " is not " + Integer.toHexString(MAGIC);
    }
    int version = frame.get(U8, offset + VERSION_AT) & 0xFF;
    if (version != VERSION) {
      return "version: ours is " + VERSION + ", the peer's is " + version;
    }
    int flags = frame.get(U16, offset + FLAGS_AT) & 0xFFFF;
    if (flags != 0) {
      return "flags " + flags + " are not 0";
    }
    int kind = kind(frame, offset);
    if (kind < HELLO || kind > REFUSAL) {
      return "kind " + kind + " is not in 1.." + REFUSAL;
    }
    long number = number(frame, offset);
    if (isNumbered(kind) ? number < 1 : number != 0) {
      return "number " + number + (isNumbered(kind) ? " is below 1" : " is not 0") + of(kind);
    }
    return lengthFault(kind, length(frame, offset), mostData);
  }

  private static String lengthFault(int kind, int length, int mostData) {
    int least = least(kind);
    int most = most(kind, mostData);
    if (length < least || length > most) {
      return "length "
          + Integer.toUnsignedString(length)
          + " is not in "
          + least
          + ".."
          + most
          + of(kind);
    }
    return "";
  }

  private static String of(int kind) {
    return " in a frame of kind " + kind;
  }

  private static int least(int kind) {
    return switch (kind) {
      case HELLO -> Hello.BYTES;
      case DATA -> 1;
      case CONTROL -> 162;
      case ACK -> Ack.BYTES;
      case HEARTBEAT -> Heartbeat.BYTES;
      case NACK -> Nack.HEADER_BYTES;
      case ROLL_CALL -> RollCall.HEADER_BYTES;
      case NOTICE -> Notice.BYTES;
      case GOODBYE -> Goodbye.BYTES;
      default -> 1;
    };
  }

  private static int most(int kind, int mostData) {
    return switch (kind) {
      case DATA -> mostData;
      case NACK -> Nack.MAX_BYTES;
      case ROLL_CALL -> RollCall.MAX_BYTES;
      case REFUSAL -> Refusal.MAX_BYTES;
      default -> least(kind);
    };
  }
}
