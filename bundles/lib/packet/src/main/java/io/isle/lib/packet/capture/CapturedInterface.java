package io.isle.lib.packet.capture;

/**
 * An interface of a section.
 *
 * @param resolution {@code if_tsresol}: units of a second, 10 or, with bit 7, 2 to the power of
 *     -bits
 * @param offsetSeconds is added to each time
 * @param snap most captured bytes of a frame; 0 without a limit
 */
record CapturedInterface(int linkType, String name, int resolution, long offsetSeconds, int snap) {
  private static final int DEFAULT_RESOLUTION = 6;
  private static final int BINARY = 0x80;
  private static final int NANO_DIGITS = 9;
  private static final long SECOND_NS = 1_000_000_000L;

  CapturedInterface(int linkType, int snap) {
    this(linkType, "", DEFAULT_RESOLUTION, 0, snap);
  }

  CapturedInterface named(String text) {
    return new CapturedInterface(linkType, text, resolution, offsetSeconds, snap);
  }

  CapturedInterface resolved(int units) {
    return new CapturedInterface(linkType, name, units, offsetSeconds, snap);
  }

  CapturedInterface offset(long seconds) {
    return new CapturedInterface(linkType, name, resolution, seconds, snap);
  }

  /** Nanoseconds since 1970 of an unsigned number of units; the nearest possible time beyond. */
  long nanos(long units) {
    long time =
        (resolution & BINARY) != 0
            ? binary(units, resolution & ~BINARY)
            : decimal(units, resolution);
    if (offsetSeconds > Long.MAX_VALUE / SECOND_NS || offsetSeconds < -Long.MAX_VALUE / SECOND_NS) {
      return offsetSeconds < 0 ? -Long.MAX_VALUE : Long.MAX_VALUE;
    }
    long offset = offsetSeconds * SECOND_NS;
    long sum = time + offset;
    return offset > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static long decimal(long units, int digits) {
    long time = units;
    for (int i = digits; i < NANO_DIGITS; i++) {
      if (Long.compareUnsigned(time, Long.MAX_VALUE / 10) > 0) {
        return Long.MAX_VALUE;
      }
      time *= 10;
    }
    for (int i = NANO_DIGITS; i < digits && time != 0; i++) {
      time = Long.divideUnsigned(time, 10);
    }
    return time < 0 ? Long.MAX_VALUE : time;
  }

  private static long binary(long units, int bits) {
    long high = Math.unsignedMultiplyHigh(units, SECOND_NS);
    long low = units * SECOND_NS;
    long time;
    if (bits == 0) {
      time = high == 0 ? low : -1;
    } else if (bits < Long.SIZE) {
      time = high >>> bits == 0 ? high << Long.SIZE - bits | low >>> bits : -1;
    } else {
      // the upper half has fewer than 30 bits
      time = bits < 2 * Long.SIZE ? high >>> bits - Long.SIZE : 0;
    }
    return time < 0 ? Long.MAX_VALUE : time;
  }
}
