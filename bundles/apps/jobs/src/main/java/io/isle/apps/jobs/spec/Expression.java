package io.isle.apps.jobs.spec;

import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * Arithmetic of claims: numbers, names of measures, {@code + - * / ( )}, {@code ceil(x)}, {@code
 * floor(x)}. Immutable.
 */
public final class Expression {
  static final int MAX_LENGTH = 256;

  private final ToDoubleFunction<Map<String, Double>> value;

  private Expression(ToDoubleFunction<Map<String, Double>> value) {
    this.value = value;
  }

  /**
   * Parses {@code text}.
   *
   * @param names measures that it may use
   * @throws IllegalArgumentException saying what is wrong
   */
  static Expression parse(String text, Set<String> names) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("longer than " + MAX_LENGTH + " characters");
    }
    Parser parser = new Parser(text, names);
    Expression expression = parser.sum();
    parser.end();
    return expression;
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
      if (take('(')) {
        Expression inner = sum();
        expect(')');
        return inner;
      }
      String word = word();
      if (word.equals("ceil") || word.equals("floor")) {
        expect('(');
        Expression inner = sum();
        expect(')');
        return word.equals("ceil")
            ? new Expression(m -> Math.ceil(inner.evaluate(m)))
            : new Expression(m -> Math.floor(inner.evaluate(m)));
      }
      if (names.contains(word)) {
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

    private String word() {
      skip();
      int start = at;
      while (at < text.length()
          && (Character.isLetterOrDigit(text.charAt(at)) || "._".indexOf(text.charAt(at)) >= 0)) {
        at++;
      }
      return text.substring(start, at);
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
