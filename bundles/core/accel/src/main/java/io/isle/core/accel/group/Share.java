package io.isle.core.accel.group;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * A part of a device's time, exact: three thirds are one whole. Not negative. Immutable; two are
 * equal when they are the same part.
 */
public final class Share implements Comparable<Share> {
  public static final Share NONE = new Share(BigInteger.ZERO, BigInteger.ONE);
  public static final Share WHOLE = new Share(BigInteger.ONE, BigInteger.ONE);

  private static final int SHOWN_DIGITS = 2;

  private final BigInteger numerator;
  private final BigInteger denominator;

  /** In lowest terms. */
  private Share(BigInteger numerator, BigInteger denominator) {
    BigInteger divisor = numerator.gcd(denominator);
    this.numerator = numerator.divide(divisor);
    this.denominator = denominator.divide(divisor);
  }

  /**
   * A part of a period.
   *
   * @param part 0 or more
   * @param whole 1 or more
   */
  public static Share of(long part, long whole) {
    if (part < 0 || whole < 1) {
      throw new IllegalArgumentException(part + " of " + whole + " is not a share");
    }
    return new Share(BigInteger.valueOf(part), BigInteger.valueOf(whole));
  }

  public Share plus(Share other) {
    return new Share(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  /** What is left without {@code other}; nothing where that is more. */
  public Share minus(Share other) {
    BigInteger left =
        numerator.multiply(other.denominator).subtract(other.numerator.multiply(denominator));
    return left.signum() <= 0 ? NONE : new Share(left, denominator.multiply(other.denominator));
  }

  /** In percent, as near as a double comes. */
  public double percent() {
    return new BigDecimal(numerator.multiply(BigInteger.valueOf(100)))
        .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
        .doubleValue();
  }

  public boolean isNone() {
    return numerator.signum() == 0;
  }

  @Override
  public int compareTo(Share other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Share share
        && numerator.equals(share.numerator)
        && denominator.equals(share.denominator);
  }

  @Override
  public int hashCode() {
    return numerator.hashCode() * 31 + denominator.hashCode();
  }

  /** In percent, with two digits at most: {@code 33.33 %}. */
  @Override
  public String toString() {
    BigDecimal percent =
        new BigDecimal(numerator.multiply(BigInteger.valueOf(100)))
            .divide(new BigDecimal(denominator), SHOWN_DIGITS, RoundingMode.HALF_UP);
    return (percent.signum() == 0 ? "0" : percent.stripTrailingZeros().toPlainString()) + " %";
  }
}
