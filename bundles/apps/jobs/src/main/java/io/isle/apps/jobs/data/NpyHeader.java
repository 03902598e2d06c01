package io.isle.apps.jobs.data;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a {@code .npy} header: a Python dictionary of three keys, each once. Only what such
 * headers are made of is understood; nothing is evaluated.
 */
record NpyHeader(String descr, boolean fortranOrder, List<Long> shape) {

  /** Longest extent in digits: none is near overflow. */
  private static final int MAX_DIGITS = 18;

  static NpyHeader parse(String text) throws FormatException {
    return new Parser(text).header();
  }

  private static final class Parser {
    private final String text;
    private int at;
    private String descr;
    private Boolean fortranOrder;
    private List<Long> shape;

    Parser(String text) {
      this.text = text;
    }

    NpyHeader header() throws FormatException {
      expect('{');
      while (!take('}')) {
        String key = string();
        expect(':');
        value(key);
        if (!take(',')) {
          expect('}');
          break;
        }
      }
      skip();
      if (at < text.length()) {
        throw new FormatException("header: more text after the dictionary");
      }
      if (descr == null || fortranOrder == null || shape == null) {
        throw new FormatException("header: 'descr', 'fortran_order' and 'shape' are needed");
      }
      return new NpyHeader(descr, fortranOrder, shape);
    }

    private void value(String key) throws FormatException {
      boolean twice =
          switch (key) {
            case "descr" -> descr != null;
            case "fortran_order" -> fortranOrder != null;
            case "shape" -> shape != null;
            default -> throw new FormatException("header: unknown key '" + shorten(key) + "'");
          };
      if (twice) {
        throw new FormatException("header: '" + key + "' is given twice");
      }
      switch (key) {
        case "descr" -> descr = descr();
        case "fortran_order" -> fortranOrder = truth();
        default -> shape = tuple();
      }
    }

    private String descr() throws FormatException {
      skip();
      if (at < text.length() && text.charAt(at) == '[') {
        throw new FormatException("descr: records cannot be read, only plain numbers");
      }
      return string();
    }

    private boolean truth() throws FormatException {
      skip();
      for (String word : List.of("True", "False")) {
        if (text.startsWith(word, at)) {
          at += word.length();
          return word.equals("True");
        }
      }
      throw new FormatException("fortran_order: must be True or False");
    }

    private List<Long> tuple() throws FormatException {
      List<Long> extents = new ArrayList<>();
      expect('(');
      while (!take(')')) {
        if (extents.size() == Dims.MAX) {
          throw new FormatException("shape: more than " + Dims.MAX + " dimensions");
        }
        extents.add(extent());
        if (!take(',')) {
          expect(')');
          break;
        }
      }
      return List.copyOf(extents);
    }

    private long extent() throws FormatException {
      skip();
      int start = at;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        at++;
      }
      String digits = text.substring(start, at);
      if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
        throw new FormatException(
            "shape: an extent is a number of 1 to " + MAX_DIGITS + " digits, not negative");
      }
      return Long.parseLong(digits);
    }

    private String string() throws FormatException {
      skip();
      char quote = at < text.length() ? text.charAt(at) : 0;
      int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
      if (end < 0) {
        throw new FormatException("header: a quoted text is expected at character " + (at + 1));
      }
      String value = text.substring(at + 1, end);
      at = end + 1;
      return shorten(value);
    }

    private static String shorten(String text) {
      String shown = text.length() > 40 ? text.substring(0, 40) + "..." : text;
      return shown.replaceAll("[^ -~]", "?");
    }

    private boolean take(char c) {
      skip();
      if (at < text.length() && text.charAt(at) == c) {
        at++;
        return true;
      }
      return false;
    }

    private void expect(char c) throws FormatException {
      if (!take(c)) {
        throw new FormatException("header: '" + c + "' is expected at character " + (at + 1));
      }
    }

    private void skip() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
    }
  }
}
