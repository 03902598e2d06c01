package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header of each datagram: 12 bytes, big-endian. At most 1400 bytes of a frame follow. Pure
 * functions, safe for any thread. Allocates nothing.
 */
public final class ChunkHeader {
  /** "LEAP". */
  public static final int LEAP = 0x4C454150;

  /** "ISLE", in datagrams of dialect isle. */
  public static final int ISLE = 0x49534C45;

  /** Bytes of the header. */
  public static final int BYTES = 12;

  /** Bytes of a frame in each chunk but its last. */
  public static final int PAYLOAD_BYTES = 1400;

  /** Bytes of the largest datagram. */
  public static final int DATAGRAM_BYTES = BYTES + PAYLOAD_BYTES;

  /** Most chunks of a frame. */
  public static final int MAX_CHUNKS = 65535;

  /** Sequence of the first frame. */
  public static final int FIRST_SEQUENCE = 0x8001;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long MAGIC_AT = 0;
  private static final long SEQUENCE_AT = 4;
  private static final long CHUNK_AT = 6;
  private static final long TOTAL_AT = 8;
  private static final long RESERVED_AT = 10;

  private ChunkHeader() {}

  /** {@link #LEAP}, {@link #ISLE}, or bytes of another protocol. */
  public static int magic(MemorySegment datagram, long offset) {
    return datagram.get(U32, offset + MAGIC_AT);
  }

  /** Sequence of the frame, 0 to 65535. */
  public static int sequence(MemorySegment datagram, long offset) {
    return datagram.get(U16, offset + SEQUENCE_AT) & 0xFFFF;
  }

  /** Index of the chunk in its frame, 0 to 65535. */
  public static int chunk(MemorySegment datagram, long offset) {
    return datagram.get(U16, offset + CHUNK_AT) & 0xFFFF;
  }

  /** Chunks of the frame, 0 to 65535. */
  public static int total(MemorySegment datagram, long offset) {
    return datagram.get(U16, offset + TOTAL_AT) & 0xFFFF;
  }

  /** Of dialect leap without meaning; of dialect isle, 1 for frames without a number. */
  public static int reserved(MemorySegment datagram, long offset) {
    return datagram.get(U16, offset + RESERVED_AT) & 0xFFFF;
  }

  /**
   * Writes a header.
   *
   * @param reserved 0 of dialect leap
   */
  public static void write(
      MemorySegment datagram,
      long offset,
      int magic,
      int sequence,
      int chunk,
      int total,
      int reserved) {
    datagram.set(U32, offset + MAGIC_AT, magic);
    datagram.set(U16, offset + SEQUENCE_AT, (short) sequence);
    datagram.set(U16, offset + CHUNK_AT, (short) chunk);
    datagram.set(U16, offset + TOTAL_AT, (short) total);
    datagram.set(U16, offset + RESERVED_AT, (short) reserved);
  }
}
