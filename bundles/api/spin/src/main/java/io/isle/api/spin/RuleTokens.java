package io.isle.api.spin;

import io.isle.api.base.Errno;

/** The names, numbers and signs of a text of rules, with their columns. Hostile text. */
final class RuleTokens {
  /** Most characters of a text. */
  static final int MOST_CHARACTERS = 4096;

  private static final int MOST_SHOWN = 32;

  private final String text;
  private int at;
  private int begin;

  RuleTokens(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw new SpinException(
          Errno.EINVAL,
          "the rules have " + text.length() + " characters; at most " + MOST_CHARACTERS + " go");
    }
    this.text = text;
    skipSpace();
  }

  boolean atEnd() {
    return at == text.length();
  }

  /** Whether this sign is next; takes it then. */
  boolean takes(char sign) {
    if (atEnd() || text.charAt(at) != sign) {
      return false;
    }
    begin = at++;
    skipSpace();
    return true;
  }

  boolean sees(char sign) {
    return !atEnd() && text.charAt(at) == sign;
  }

  void expect(char sign, String where) {
    if (!takes(sign)) {
      throw failureHere("'" + sign + "' is expected " + where);
    }
  }

  boolean seesName() {
    return !atEnd() && isLetter(text.charAt(at));
  }

  /** Whether this name is next; takes it then. */
  boolean takesName(String name) {
    int end = at + name.length();
    if (!text.startsWith(name, at) || end < text.length() && isPartOfName(text.charAt(end))) {
      return false;
    }
    begin = at;
    at = end;
    skipSpace();
    return true;
  }

  /** The next name: letters, digits, underscores and hyphens. */
  String name(String what) {
    if (!seesName()) {
      throw failureHere(what + " is expected");
    }
    begin = at;
    while (!atEnd() && isPartOfName(text.charAt(at))) {
      at++;
    }
    String name = text.substring(begin, at);
    skipSpace();
    return name;
  }

  /** The next unsigned number as C writes it, decimal or hexadecimal. */
  int number(String what, long most) {
    begin = at;
    boolean hexadecimal = text.startsWith("0x", at) || text.startsWith("0X", at);
    int radix = hexadecimal ? 16 : 10;
    int first = hexadecimal ? at + 2 : at;
    int end = first;
    long value = 0;
    while (end < text.length() && digit(text.charAt(end), radix) >= 0) {
      value = value * radix + digit(text.charAt(end), radix);
      if (value > most) {
        throw failure(what + " is above " + (radix == 16 ? "0x" : "") + Long.toString(most, radix));
      }
      end++;
    }
    if (end == first) {
      throw failureHere("a number is expected as " + what);
    }
    if (radix == 10 && end - first > 1 && text.charAt(first) == '0') {
      throw failure(what + " begins with 0, which C reads as octal; write it without, or 0x");
    }
    at = suffixed(end);
    skipSpace();
    return (int) value;
  }

  /** Behind the suffix that says the type in C. */
  private int suffixed(int from) {
    int end = from;
    while (end < text.length() && end - from < 3 && "uUlL".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    if (end < text.length() && isPartOfName(text.charAt(end))) {
      at = end;
      throw failureHere("the number has to end");
    }
    return end;
  }

  /** A mistake in what was taken last. */
  SpinException failure(String message) {
    return failure(begin, message);
  }

  /** A mistake in what is next. */
  SpinException failureHere(String message) {
    String found = atEnd() ? "the end" : "'" + text.charAt(at) + "'";
    return failure(at, message + ", not " + found);
  }

  /** Where the next token begins, for {@link #failure(int, String)}. */
  int place() {
    return at;
  }

  SpinException failure(int place, String message) {
    return new SpinException(Errno.EINVAL, "rules, column " + (place + 1) + ": " + message);
  }

  /** A name in a message, cut where it is long. */
  static String shown(String name) {
    return "'" + (name.length() > MOST_SHOWN ? name.substring(0, MOST_SHOWN) + "..." : name) + "'";
  }

  private void skipSpace() {
    while (!atEnd() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private static int digit(char c, int radix) {
    return c < 128 ? Character.digit(c, radix) : -1;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  private static boolean isPartOfName(char c) {
    return isLetter(c) || c >= '0' && c <= '9' || c == '-';
  }
}
