package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;

/**
 * The payload of a request for missing chunks of one frame: ranges in ascending order. Without a
 * range, all chunks are missing. Pure functions, safe for any thread. Allocates nothing, but for
 * the sentence of a fault.
 */
public final class Nack {
  /** Bytes before the first range. */
  public static final int HEADER_BYTES = 16;

  /** Most ranges: what a datagram holds. */
  public static final int MAX_RANGES = 338;

  /** Bytes of the largest payload. */
  public static final int MAX_BYTES = HEADER_BYTES + MAX_RANGES * 4;

  private static final long NUMBER = 0;
  private static final long COUNT = 8;
  private static final long ZERO = 12;
  private static final long RANGE_BYTES = 4;

  private Nack() {}

  /** Bytes of a payload with {@code ranges} ranges. */
  public static int bytes(int ranges) {
    return HEADER_BYTES + ranges * (int) RANGE_BYTES;
  }

  /**
   * Writes the header.
   *
   * @param number of the frame
   * @param ranges 0 to {@link #MAX_RANGES}
   */
  public static void write(MemorySegment to, long offset, long number, int ranges) {
    to.set(IsleFrame.U64, offset + NUMBER, number);
    to.set(IsleFrame.U32, offset + COUNT, ranges);
    to.set(IsleFrame.U32, offset + ZERO, 0);
  }

  /** Writes a range of missing chunks, first and last one included. */
  public static void range(MemorySegment to, long offset, int index, int first, int last) {
    long at = offset + HEADER_BYTES + index * RANGE_BYTES;
    to.set(IsleFrame.U16, at, (short) first);
    to.set(IsleFrame.U16, at + 2, (short) last);
  }

  public static long number(MemorySegment from, long offset) {
    return from.get(IsleFrame.U64, offset + NUMBER);
  }

  public static int ranges(MemorySegment from, long offset) {
    return from.get(IsleFrame.U32, offset + COUNT);
  }

  public static int first(MemorySegment from, long offset, int index) {
    return Fields.u16(from, offset + HEADER_BYTES + index * RANGE_BYTES);
  }

  public static int last(MemorySegment from, long offset, int index) {
    return Fields.u16(from, offset + HEADER_BYTES + index * RANGE_BYTES + 2);
  }

  /**
   * Checks a payload, but for the limits of the frame: its sender knows its number of chunks.
   *
   * @return empty if valid; else the field, its value and the limit
   */
  public static String fault(MemorySegment from, long offset, int length) {
    int count = ranges(from, offset);
    if (count < 0 || count > MAX_RANGES || length != bytes(count)) {
      return "ranges "
          + Integer.toUnsignedString(count)
          + " are not in 0.."
          + MAX_RANGES
          + ", or not of "
          + length
          + " bytes";
    }
    if (number(from, offset) < 1 || from.get(IsleFrame.U32, offset + ZERO) != 0) {
      return "number " + number(from, offset) + " is below 1, or the reserved field is not 0";
    }
    int before = -1;
    for (int i = 0; i < count; i++) {
      int first = first(from, offset, i);
      int last = last(from, offset, i);
      if (first <= before || last < first) {
        return "range " + i + " from " + first + " to " + last + " is not above " + before;
      }
      before = last;
    }
    return "";
  }
}
