package io.isle.apps.jobs.formula;

import java.math.BigInteger;

/**
 * Logarithms to the base 2 as doubles: exact for powers of two, and on the right side of each whole
 * number, so that {@code ceil(log2(n))} counts levels of a tree.
 */
final class Log2 {
  private static final double LN_2 = Math.log(2);

  private Log2() {}

  /** NaN of a negative number, as of NaN. */
  static double of(double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      return Math.log(value);
    }
    int exponent = Math.getExponent(value);
    if (exponent < Double.MIN_EXPONENT) {
      return of(value * 0x1p54) - 54;
    }
    return between(exponent, Math.scalb(value, -exponent));
  }

  /**
   * @throws ArithmeticException for zero and negative numbers
   */
  static Rational of(Rational value) {
    if (value.numerator().signum() <= 0) {
      throw new ArithmeticException("log2 of " + value);
    }
    int exponent = value.numerator().bitLength() - value.denominator().bitLength();
    Rational rest = value.over(power(exponent));
    if (rest.compareTo(Rational.of(1)) < 0) {
      exponent--;
      rest = value.over(power(exponent));
    }
    boolean power = rest.equals(Rational.of(1));
    return Rational.of(
        power ? exponent : between(exponent, Math.max(Math.nextUp(1.0), rest.real())));
  }

  private static Rational power(int exponent) {
    BigInteger power = BigInteger.ONE.shiftLeft(Math.abs(exponent));
    return exponent < 0 ? new Rational(BigInteger.ONE, power) : new Rational(power, BigInteger.ONE);
  }

  /**
   * @param rest from 1, of a power of two only, to 2
   */
  private static double between(int exponent, double rest) {
    if (rest == 1) {
      return exponent;
    }
    double sum = exponent + Math.log(rest) / LN_2;
    return Math.min(Math.max(sum, Math.nextUp((double) exponent)), Math.nextDown(exponent + 1.0));
  }
}
