package io.isle.lib.leap;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The layout of control packets: a marker of two bytes, a packed message of 162 bytes, zeros up to
 * the size of the ring's packets. Offsets in bytes from the begin of the message, little-endian.
 */
public final class Control {
  /** First two bytes of a control packet, little-endian. */
  public static final int MARKER = 0xC0DE;

  /** Bytes of the marker; the message follows. */
  public static final int MARKER_BYTES = 2;

  /** Bytes of the message. */
  public static final int MESSAGE_BYTES = 162;

  /** Bytes of marker and message. */
  public static final int PACKET_BYTES = MARKER_BYTES + MESSAGE_BYTES;

  /** Most workers of one message. */
  public static final int MAX_WORKERS = 16;

  /** Largest number of a layer. */
  public static final int MAX_LAYERS = 65536;

  /** Type: layers of one worker. */
  public static final int RESIZE_LAYERS = 1;

  /** Type: layers of several workers, each of which takes its range and passes the rest on. */
  public static final int RESIZE_CHAIN = 2;

  /** Type: the last worker has applied its layers. */
  public static final int ACK = 3;

  static final long TYPE = 0;
  static final long START = 1;
  static final long END = 5;
  static final long TAIL = 9;
  static final long INDEX = 10;
  static final long WORKERS = 14;
  static final long RANGES = 18;
  static final long RANGE_BYTES = 9;
  static final long RANGE_END = 4;
  static final long RANGE_TAIL = 8;

  static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt I32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final ValueLayout.OfLong I64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Control() {}

  /** Offset of a range. */
  static long range(int index) {
    return RANGES + index * RANGE_BYTES;
  }
}
