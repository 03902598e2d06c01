package io.isle.core.accel.estimate;

/** Logarithms of whole numbers to the base of 2, in whole parts of 1. Without floating point. */
public final class Log2 {
  /** Parts of 1 in features and answers. */
  public static final int PARTS = 16;

  /** Parts of 1 where errors are counted. */
  public static final int FINE_PARTS = 256;

  private static final int PARTS_SHIFT = 4;
  private static final int FINE_SHIFT = 8;
  private static final int TOP = Long.SIZE - 1;

  /** By the eight bits behind the first, the logarithm in fine parts. */
  private static final short[] FINE = new short[FINE_PARTS];

  /** 2 to the power of sixteenths, with 32 bits behind the point. */
  private static final long[] POWERS = new long[PARTS];

  static {
    for (int i = 0; i < FINE_PARTS; i++) {
      double log = Math.log1p((i + 0.5) / FINE_PARTS) / Math.log(2);
      FINE[i] = (short) Math.round(FINE_PARTS * log - 0.5);
    }
    FINE[0] = 0;
    for (int i = 0; i < PARTS; i++) {
      POWERS[i] = Math.round(Math.pow(2, (double) i / PARTS) * (1L << Integer.SIZE));
    }
  }

  private Log2() {}

  /** 256 times the logarithm, off by 2 at most; 0 for numbers below 1. */
  public static int fine(long value) {
    if (value < 1) {
      return 0;
    }
    int zeros = Long.numberOfLeadingZeros(value);
    int behind = (int) (value << zeros << 1 >>> Long.SIZE - FINE_SHIFT);
    return (TOP - zeros << FINE_SHIFT) + FINE[behind];
  }

  /** 16 times the logarithm, rounded; 0 for numbers below 1. */
  public static int of(long value) {
    int half = FINE_PARTS / PARTS / 2;
    return fine(value) + half >> FINE_SHIFT - PARTS_SHIFT;
  }

  /** 2 to the power of a sixteenth of {@code log}, rounded down; {@code log} is 0 to 1007. */
  public static long power(int log) {
    int whole = log >> PARTS_SHIFT;
    long power = POWERS[log & PARTS - 1];
    return whole <= Integer.SIZE - 2
        ? power << whole >>> Integer.SIZE
        : power >>> 1 << whole - (Integer.SIZE - 1);
  }
}
