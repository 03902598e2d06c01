package io.isle.lib.model.form;

/** The one rounding rule of all models: to the nearest integer, halves up. */
public final class Rounding {
  /** Largest shift. */
  public static final int MOST_SHIFT = 62;

  private Rounding() {}

  /**
   * {@code value / 2^shift}, rounded.
   *
   * @param value less than 2^62 from zero
   * @param shift 0 to {@link #MOST_SHIFT}
   */
  public static long shift(long value, int shift) {
    return (value + ((1L << shift) >> 1)) >> shift;
  }

  /** The nearest value of 32 bits. */
  public static int saturate(long value) {
    return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }
}
