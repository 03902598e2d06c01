package io.isle.api.base;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The notation of byte counts in settings, job files and commands: {@code 4096}, {@code 32m},
 * {@code 32MiB}, {@code 32 MiB}, in upper or lower case. Pure functions, safe for any thread.
 */
public final class ByteSize {
  /** The allowed suffixes, for messages. */
  public static final String SUFFIXES = "with k, m, g, t or KiB, MiB, GiB, TiB";

  private static final Pattern SIZE = Pattern.compile("([0-9]{1,40}) {0,8}(?:([kmgt])(?:ib)?|b)?");

  private ByteSize() {}

  /**
   * Parses a byte count. The suffixes are powers of 1024.
   *
   * @param text a decimal number, then at most 8 blanks and a suffix, or no suffix
   * @return 0 to 2^63 - 1
   * @throws NumberFormatException if the text is not a byte count
   * @throws ArithmeticException if the count is 2^63 or more
   */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new NumberFormatException("not a number of bytes (" + SUFFIXES + ")");
    }
    String digits = matcher.group(1).replaceFirst("^0+(?=.)", "");
    if (digits.length() > 19) {
      throw new ArithmeticException("2^63 bytes or more");
    }
    long unit =
        matcher.group(2) == null ? 1 : 1L << 10 * ("kmgt".indexOf(matcher.group(2).charAt(0)) + 1);
    try {
      return Math.multiplyExact(Long.parseLong(digits), unit);
    } catch (NumberFormatException e) {
      throw new ArithmeticException("2^63 bytes or more");
    }
  }
}
