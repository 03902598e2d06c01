package io.isle.apps.jobs.formula;

import java.util.Map;
import java.util.Set;

/**
 * Arithmetic over numbers and names: {@code + - * / % << >> ( )}, {@code ceil(x)}, {@code
 * floor(x)}, {@code abs(x)}, {@code log2(x)}, {@code min(x, y)}, {@code max(x, y)}. Immutable.
 *
 * <p>{@code %} has the sign of the dividend, and shifts bind less than {@code +}, as in C.
 */
public final class Expression {
  /** Longest formula in characters, which bounds its depth, too. */
  public static final int MAX_LENGTH = 256;

  private final Term term;
  private final Set<String> names;

  private Expression(Term term, Set<String> names) {
    this.term = term;
    this.names = names;
  }

  /**
   * Parses {@code text}.
   *
   * @param names that it may use; they come before functions unless a parenthesis follows
   * @throws IllegalArgumentException saying what is wrong
   */
  public static Expression parse(String text, Set<String> names) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the formula is longer than " + MAX_LENGTH + " characters");
    }
    ExpressionParser parser = new ExpressionParser(text, names);
    Term term = parser.whole();
    return new Expression(term, Set.copyOf(parser.used()));
  }

  /** The names in it. */
  public Set<String> names() {
    return names;
  }

  /**
   * The value in double precision; infinite or NaN where there is none.
   *
   * @param values of all {@link #names}
   */
  public double evaluate(Map<String, Double> values) {
    return term.real(values);
  }

  /**
   * The exact value; only that of {@code log2} is a double's.
   *
   * @throws ArithmeticException saying why there is none: a division by zero, a name without a
   *     value, a shift by more than 63
   */
  public Rational exact(Map<String, Rational> values) {
    return term.exact(values);
  }
}
