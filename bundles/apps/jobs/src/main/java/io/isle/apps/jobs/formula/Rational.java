package io.isle.apps.jobs.formula;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Locale;

/**
 * An exact fraction in lowest terms. Immutable.
 *
 * <p>All operations are exact. Those that have no result throw an {@link ArithmeticException} whose
 * message says why: a division by zero, or more than {@link #MAX_BITS} bits.
 *
 * @param denominator at least 1
 */
public record Rational(BigInteger numerator, BigInteger denominator)
    implements Comparable<Rational> {
  /** Most bits of numerator and denominator of any result on the way; ends no useful formula. */
  public static final int MAX_BITS = 4096;

  public static final Rational ZERO = of(0);

  private static final int HALF_PRECISION = 11;
  private static final int HALF_MIN_EXPONENT = -14;
  private static final float HALF_MAX = 65_504;

  private static final int MAX_DIGITS = 40;
  private static final int SHOWN_BITS = 128;

  private static final BigInteger ULONG_END = BigInteger.ONE.shiftLeft(Long.SIZE);
  private static final BigInteger LONG_START = BigInteger.valueOf(Long.MIN_VALUE);

  public Rational {
    if (denominator.signum() == 0) {
      throw new ArithmeticException("a division by zero");
    }
    if (!denominator.equals(BigInteger.ONE)) {
      BigInteger common = numerator.gcd(denominator);
      BigInteger sign = denominator.signum() < 0 ? common.negate() : common;
      numerator = numerator.divide(sign);
      denominator = denominator.divide(sign);
    }
    if (numerator.bitLength() > MAX_BITS || denominator.bitLength() > MAX_BITS) {
      throw new ArithmeticException("a result with more than " + MAX_BITS + " bits");
    }
  }

  /** A whole number. */
  public static Rational of(long value) {
    return new Rational(BigInteger.valueOf(value), BigInteger.ONE);
  }

  /** The exact value of a finite double. */
  public static Rational of(double value) {
    return of(new BigDecimal(value));
  }

  /** The exact value of a decimal number. */
  public static Rational of(BigDecimal value) {
    if (Math.abs((long) value.scale()) > MAX_BITS) {
      throw new ArithmeticException("a number with more than " + MAX_BITS + " bits");
    }
    BigInteger power = BigInteger.TEN.pow(Math.abs(value.scale()));
    return value.scale() < 0
        ? new Rational(value.unscaledValue().multiply(power), BigInteger.ONE)
        : new Rational(value.unscaledValue(), power);
  }

  public Rational plus(Rational other) {
    return new Rational(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  public Rational minus(Rational other) {
    return plus(other.negated());
  }

  public Rational times(Rational other) {
    return new Rational(
        numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  public Rational over(Rational other) {
    return new Rational(
        numerator.multiply(other.denominator), denominator.multiply(other.numerator));
  }

  /** What the division leaves; with the sign of this number, as in C. */
  public Rational remainder(Rational other) {
    Rational quotient = over(other);
    return minus(other.times(quotient.truncated()));
  }

  /**
   * Whole numbers: {@code this * 2^count}.
   *
   * @param count from 0 to 63
   */
  public Rational shiftedLeft(Rational count) {
    return new Rational(whole().shiftLeft(bits(count)), BigInteger.ONE);
  }

  /**
   * Whole numbers: {@code floor(this / 2^count)}.
   *
   * @param count from 0 to 63
   */
  public Rational shiftedRight(Rational count) {
    return new Rational(whole().shiftRight(bits(count)), BigInteger.ONE);
  }

  private BigInteger whole() {
    if (!isWhole()) {
      throw new ArithmeticException("a shift of " + this + ", which is no whole number");
    }
    return numerator;
  }

  private static int bits(Rational count) {
    if (!count.isWhole()
        || count.numerator.signum() < 0
        || count.numerator.bitLength() > Integer.SIZE
        || count.numerator.longValue() >= Long.SIZE) {
      throw new ArithmeticException("a shift by " + count + "; the count must be from 0 to 63");
    }
    return count.numerator.intValue();
  }

  public Rational negated() {
    return new Rational(numerator.negate(), denominator);
  }

  public Rational absolute() {
    return numerator.signum() < 0 ? negated() : this;
  }

  /** The largest whole number that is not above this one. */
  public Rational floor() {
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    return new Rational(
        parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0], BigInteger.ONE);
  }

  /** The smallest whole number that is not below this one. */
  public Rational ceil() {
    return negated().floor().negated();
  }

  private Rational truncated() {
    return new Rational(numerator.divide(denominator), BigInteger.ONE);
  }

  public boolean isWhole() {
    return denominator.equals(BigInteger.ONE);
  }

  /** Whether this is a whole number from -2^63 to 2^64 - 1. */
  public boolean fits64Bits() {
    return isWhole() && numerator.compareTo(LONG_START) >= 0 && numerator.compareTo(ULONG_END) < 0;
  }

  /** The 64 bits of a whole number that {@link #fits64Bits}; those from 2^63 on are negative. */
  public long bits() {
    if (!fits64Bits()) {
      throw new ArithmeticException(this + " is beyond 64 bits");
    }
    return numerator.longValue();
  }

  /** The nearest double; infinite beyond the largest. */
  public double real() {
    return rounded(Double.PRECISION, Double.MIN_EXPONENT);
  }

  /** The nearest float; infinite beyond the largest. Rounded once, not by way of a double. */
  public float single() {
    return (float) rounded(Float.PRECISION, Float.MIN_EXPONENT);
  }

  /** The nearest number of 16 bits, as a float; infinite beyond 65504. Rounded once. */
  public float half() {
    float value = (float) rounded(HALF_PRECISION, HALF_MIN_EXPONENT);
    return Math.abs(value) > HALF_MAX ? Math.copySign(Float.POSITIVE_INFINITY, value) : value;
  }

  /** To the nearest multiple of the last place, of two to the even one, as IEEE 754 does. */
  private double rounded(int precision, int least) {
    BigInteger size = numerator.abs();
    int exponent = size.bitLength() - denominator.bitLength();
    if (scaled(size, -exponent).compareTo(scaled(denominator, exponent)) < 0) {
      exponent--;
    }
    int place = Math.max(exponent, least) - precision + 1;
    BigInteger divisor = scaled(denominator, place);
    BigInteger[] parts = scaled(size, -place).divideAndRemainder(divisor);
    int half = parts[1].shiftLeft(1).compareTo(divisor);
    boolean up = half > 0 || (half == 0 && parts[0].testBit(0));
    BigInteger digits = up ? parts[0].add(BigInteger.ONE) : parts[0];
    double value = Math.scalb(digits.doubleValue(), place);
    return numerator.signum() < 0 ? -value : value;
  }

  /** {@code value * 2^bits} where that is more, else the value: the other side is scaled then. */
  private static BigInteger scaled(BigInteger value, int bits) {
    return bits > 0 ? value.shiftLeft(bits) : value;
  }

  @Override
  public int compareTo(Rational other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  /**
   * As job files write it, without an exponent: exact where that takes at most 40 digits on each
   * side of the point, else the nearest double.
   */
  public String decimal() {
    BigDecimal value;
    try {
      value = new BigDecimal(numerator).divide(new BigDecimal(denominator));
    } catch (ArithmeticException e) {
      // no end of digits
      value = BigDecimal.valueOf(real());
    }
    value = value.stripTrailingZeros();
    if (value.scale() > MAX_DIGITS) {
      value = BigDecimal.valueOf(real());
    }
    return value.toPlainString();
  }

  /** For people: a whole number, else a decimal one, of six digits where it has more. */
  @Override
  public String toString() {
    if (isWhole() && numerator.bitLength() <= SHOWN_BITS) {
      return numerator.toString();
    }
    return String.format(
        Locale.ROOT,
        "%.6g",
        new BigDecimal(numerator).divide(new BigDecimal(denominator), MathContext.DECIMAL64));
  }
}
