package io.isle.apps.jobs.formula;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recursive descent; the depth is bounded by the length of the text. */
final class ExpressionParser {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final Pattern SUFFIX =
      Pattern.compile(" [kmgt]ib(?![A-Za-z0-9._])", Pattern.CASE_INSENSITIVE);

  private final String text;
  private final Set<String> names;
  private final Set<String> used = new HashSet<>();
  private int at;

  ExpressionParser(String text, Set<String> names) {
    this.text = text;
    this.names = names;
  }

  /** All of the text. */
  Term whole() {
    Term term = shift();
    skip();
    if (at < text.length()) {
      throw new IllegalArgumentException(
          "'" + text.charAt(at) + "' is not expected at character " + (at + 1));
    }
    return term;
  }

  /** The names that were met. */
  Set<String> used() {
    return used;
  }

  private Term shift() {
    Term left = sum();
    while (true) {
      if (take("<<")) {
        left = new Term.Pair(Operator.LEFT, left, sum());
      } else if (take(">>")) {
        left = new Term.Pair(Operator.RIGHT, left, sum());
      } else {
        return left;
      }
    }
  }

  private Term sum() {
    Term left = product();
    while (true) {
      if (take("+")) {
        left = new Term.Pair(Operator.PLUS, left, product());
      } else if (take("-")) {
        left = new Term.Pair(Operator.MINUS, left, product());
      } else {
        return left;
      }
    }
  }

  private Term product() {
    Term left = factor();
    while (true) {
      if (take("*")) {
        left = new Term.Pair(Operator.TIMES, left, factor());
      } else if (take("/")) {
        left = new Term.Pair(Operator.OVER, left, factor());
      } else if (take("%")) {
        left = new Term.Pair(Operator.REMAINDER, left, factor());
      } else {
        return left;
      }
    }
  }

  private Term factor() {
    if (take("-")) {
      return new Term.Call(Function.NEGATE, factor());
    }
    if (take("(")) {
      Term inner = shift();
      expect(")");
      return inner;
    }
    String word = word();
    if (names.contains(word) && !isCall(word)) {
      used.add(word);
      return new Term.Name(word);
    }
    Optional<Function> function = Function.of(word);
    if (function.isPresent()) {
      expect("(");
      Term inner = shift();
      expect(")");
      return new Term.Call(function.get(), inner);
    }
    return switch (word) {
      case "min" -> pair(Operator.MIN);
      case "max" -> pair(Operator.MAX);
      default -> number(word);
    };
  }

  /** Whether a name that is a function's, too, is one here. */
  private boolean isCall(String word) {
    boolean function = Function.of(word).isPresent() || word.equals("min") || word.equals("max");
    skip();
    return function && text.startsWith("(", at);
  }

  private Term pair(Operator operator) {
    expect("(");
    Term first = shift();
    expect(",");
    Term second = shift();
    expect(")");
    return new Term.Pair(operator, first, second);
  }

  private Term number(String word) {
    Rational exact =
        Numbers.exact(word)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'"
                            + word
                            + "' is neither a number nor one of "
                            + String.join(", ", names)));
    return new Term.Number(exact, Numbers.real(word).orElse(exact.real()));
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

  private boolean take(String word) {
    skip();
    if (text.startsWith(word, at)) {
      at += word.length();
      return true;
    }
    return false;
  }

  private void expect(String word) {
    if (!take(word)) {
      throw new IllegalArgumentException("'" + word + "' expected at character " + (at + 1));
    }
  }

  private void skip() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }
}
