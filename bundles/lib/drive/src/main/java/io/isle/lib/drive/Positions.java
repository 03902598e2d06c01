package io.isle.lib.drive;

/**
 * The positions of packets, by their index from 0: {@code first} and those behind it; {@code begin}
 * comes after {@code end} - 1. Immutable.
 *
 * @param begin smallest position, 0 or more
 * @param end behind the largest position, at most {@link #ALL}
 * @param first position of the packet with index 0, from {@code begin} to {@code end} - 1
 */
public record Positions(long begin, long end, long first) {
  /** Number of positions: a position is a signed number of 32 bits, 0 or more. */
  public static final long ALL = 1L << 31;

  /** A packet with these lower 16 bits of its position looks like a control packet. */
  private static final int MARKER = 0xc0de;

  private static final int MARKERS = 1 << 16;

  public Positions {
    if (begin < 0 || end > ALL || first < begin || first >= end) {
      throw new IllegalArgumentException(
          "position " + first + " is not within " + begin + " to " + (end - 1));
    }
  }

  /** The position of a packet. */
  public int at(long index) {
    return (int) (begin + (first - begin + index) % count());
  }

  /** Number of different positions. */
  public long count() {
    return end - begin;
  }

  /** The smallest index from {@code from} on with this position; -1 if no packet has it. */
  long indexFrom(long from, int position) {
    return position < begin || position >= end
        ? -1
        : from + Math.floorMod(position - (long) at(from), count());
  }

  /** The largest index below {@code below} with this position; negative if there is none. */
  long indexBelow(long below, int position) {
    return below < 1 || position < begin || position >= end
        ? -1
        : below - 1 - Math.floorMod(at(below - 1) - (long) position, count());
  }

  /** Whether a packet of dialect leap at this position looks like a control packet. */
  public static boolean looksLikeControl(int position) {
    return (position & (MARKERS - 1)) == MARKER;
  }

  /**
   * The first position among {@code packets} packets that looks like a control packet.
   *
   * @return -1 if there is none
   */
  public long firstLikeControl(long packets) {
    long straight = Math.min(packets, end - first);
    long found = markerFrom(first);
    if (found < first + straight) {
      return found;
    }
    long again = Math.min(packets - straight, first - begin);
    found = markerFrom(begin);
    return again > 0 && found < begin + again ? found : -1;
  }

  private static long markerFrom(long position) {
    return position + Math.floorMod(MARKER - position, (long) MARKERS);
  }
}
