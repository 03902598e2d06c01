package io.isle.apps.jobs.formula;

import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;

/** What a formula does with two numbers, exactly or in double precision. */
enum Operator {
  PLUS((a, b) -> a + b, Rational::plus),
  MINUS((a, b) -> a - b, Rational::minus),
  TIMES((a, b) -> a * b, Rational::times),
  OVER((a, b) -> a / b, Rational::over),
  REMAINDER((a, b) -> a % b, Rational::remainder),
  LEFT((a, b) -> Math.scalb(a, shift(b)), Rational::shiftedLeft),
  RIGHT((a, b) -> Math.floor(Math.scalb(a, -shift(b))), Rational::shiftedRight),
  MIN(Math::min, (a, b) -> a.compareTo(b) <= 0 ? a : b),
  MAX(Math::max, (a, b) -> a.compareTo(b) >= 0 ? a : b);

  private final DoubleBinaryOperator real;
  private final BinaryOperator<Rational> exact;

  Operator(DoubleBinaryOperator real, BinaryOperator<Rational> exact) {
    this.real = real;
    this.exact = exact;
  }

  private static int shift(double count) {
    return (int) Math.clamp(count, 0, Long.SIZE - 1);
  }

  double real(double a, double b) {
    return real.applyAsDouble(a, b);
  }

  Rational exact(Rational a, Rational b) {
    return exact.apply(a, b);
  }
}
