package io.isle.apps.jobs.spec;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Arithmetic over numbers and names: {@code + - * / ( )}, {@code ceil(x)}, {@code floor(x)}, {@code
 * abs(x)}, {@code min(x, y)}, {@code max(x, y)}. Immutable.
 */
public final class Expression {
  static final int MAX_LENGTH = 256;

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final Pattern SUFFIX =
      Pattern.compile(" [kmgt]ib(?![A-Za-z0-9._])", Pattern.CASE_INSENSITIVE);

  private final ToDoubleFunction<Map<String, Double>> value;
  private final Set<String> names;

  private Expression(ToDoubleFunction<Map<String, Double>> value) {
    this(value, Set.of());
  }

  private Expression(ToDoubleFunction<Map<String, Double>> value, Set<String> names) {
    this.value = value;
    this.names = names;
  }

  /**
   * Parses {@code text}.
   *
   * @param names measures that it may use
   * @throws IllegalArgumentException saying what is wrong
   */
  static Expression parse(String text, Set<String> names) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the formula is longer than " + MAX_LENGTH + " characters");
    }
    Parser parser = new Parser(text, names);
    Expression expression = parser.sum();
    parser.end();
    return new Expression(expression.value, Set.copyOf(parser.used));
  }

  /** The names in it. */
  public Set<String> names() {
    return names;
  }

  public double evaluate(Map<String, Double> measures) {
    return value.applyAsDouble(measures);
  }

  private static Expression binary(Expression a, Expression b, DoubleBinaryOperator operator) {
    return new Expression(m -> operator.applyAsDouble(a.evaluate(m), b.evaluate(m)));
  }

  /** Recursive descent; the depth is bounded by the length of the text. */
  private static final class Parser {
    private final String text;
    private final Set<String> names;
    private final Set<String> used = new HashSet<>();
    private int at;

    Parser(String text, Set<String> names) {
      this.text = text;
      this.names = names;
    }

    Expression sum() {
      Expression left = product();
      while (true) {
        if (take('+')) {
          left = binary(left, product(), (a, b) -> a + b);
        } else if (take('-')) {
          left = binary(left, product(), (a, b) -> a - b);
        } else {
          return left;
        }
      }
    }

    private Expression product() {
      Expression left = term();
      while (true) {
        if (take('*')) {
          left = binary(left, term(), (a, b) -> a * b);
        } else if (take('/')) {
          left = binary(left, term(), (a, b) -> a / b);
        } else {
          return left;
        }
      }
    }

    private Expression term() {
      if (take('-')) {
        Expression inner = term();
        return new Expression(m -> -inner.evaluate(m));
      }
      if (take('(')) {
        Expression inner = sum();
        expect(')');
        return inner;
      }
      String word = word();
      Expression call =
          switch (word) {
            case "ceil" -> unary(Math::ceil);
            case "floor" -> unary(Math::floor);
            case "abs" -> unary(Math::abs);
            case "min" -> pair(Math::min);
            case "max" -> pair(Math::max);
            default -> null;
          };
      if (call != null) {
        return call;
      }
      if (names.contains(word)) {
        used.add(word);
        return new Expression(m -> m.get(word));
      }
      double number =
          Numbers.real(word)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "'"
                              + word
                              + "' is neither a number nor one of "
                              + String.join(", ", names)));
      return new Expression(m -> number);
    }

    private Expression unary(DoubleUnaryOperator operator) {
      expect('(');
      Expression inner = sum();
      expect(')');
      return new Expression(m -> operator.applyAsDouble(inner.evaluate(m)));
    }

    private Expression pair(DoubleBinaryOperator operator) {
      expect('(');
      Expression first = sum();
      expect(',');
      Expression second = sum();
      expect(')');
      return binary(first, second, operator);
    }

    private String word() {
      skip();
      int start = at;
      while (at < text.length() && (isOfWord(text.charAt(at)) || isSign(start))) {
        at++;
      }
      Matcher suffix = SUFFIX.matcher(text).region(at, text.length());
      if (DIGITS.matcher(text).region(start, at).matches() && suffix.lookingAt()) {
        at = suffix.end();
      }
      return text.substring(start, at);
    }

    private static boolean isOfWord(char c) {
      return Character.isLetterOrDigit(c) || c == '.' || c == '_';
    }

    /** Whether here is the sign of an exponent, as in 1e-3. */
    private boolean isSign(int start) {
      return text.substring(start, at).matches("[0-9.]+[eE]") && "+-".indexOf(text.charAt(at)) >= 0;
    }

    private boolean take(char c) {
      skip();
      if (at < text.length() && text.charAt(at) == c) {
        at++;
        return true;
      }
      return false;
    }

    private void expect(char c) {
      if (!take(c)) {
        throw new IllegalArgumentException("'" + c + "' expected at character " + (at + 1));
      }
    }

    private void skip() {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
    }

    void end() {
      skip();
      if (at < text.length()) {
        throw new IllegalArgumentException(
            "'" + text.charAt(at) + "' is not expected at character " + (at + 1));
      }
    }
  }
}
