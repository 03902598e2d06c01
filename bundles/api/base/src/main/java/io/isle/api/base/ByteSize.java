package io.isle.api.base;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of bytes as people write them: {@code 4096}, {@code 32m}, {@code 32MiB}, {@code 32 MiB},
 * in upper or lower case; the one notation of settings, job files and commands. Pure functions.
 */
public final class ByteSize {
  /** What may follow the number, for messages. */
  public static final String SUFFIXES = "with k, m, g, t or KiB, MiB, GiB, TiB";

  private static final Pattern SIZE = Pattern.compile("([0-9]{1,40}) {0,8}(?:([kmgt])(?:ib)?|b)?");

  private ByteSize() {}

  /**
   * The number of bytes; suffixes stand for powers of 1024.
   *
   * @return 0 or more
   * @throws NumberFormatException if it is no size
   * @throws ArithmeticException if it is 2^63 or more
   */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new NumberFormatException("no number of bytes (" + SUFFIXES + ")");
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
