package io.isle.apps.jobs.formula;

import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/** A function of one number, exactly or in double precision. */
enum Function {
  CEIL(Math::ceil, Rational::ceil),
  FLOOR(Math::floor, Rational::floor),
  ABS(Math::abs, Rational::absolute),
  LOG2(Log2::of, Log2::of),
  NEGATE(a -> -a, Rational::negated);

  private final DoubleUnaryOperator real;
  private final UnaryOperator<Rational> exact;

  Function(DoubleUnaryOperator real, UnaryOperator<Rational> exact) {
    this.real = real;
    this.exact = exact;
  }

  /** The one that a formula calls so. */
  static Optional<Function> of(String word) {
    return switch (word) {
      case "ceil", "floor", "abs", "log2" -> Optional.of(valueOf(word.toUpperCase(Locale.ROOT)));
      default -> Optional.empty();
    };
  }

  double real(double a) {
    return real.applyAsDouble(a);
  }

  Rational exact(Rational a) {
    return exact.apply(a);
  }
}
