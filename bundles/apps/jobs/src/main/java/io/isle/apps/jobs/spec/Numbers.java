package io.isle.apps.jobs.spec;

import io.isle.api.base.ByteSize;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers as job files write them: 4096, 0x1000, 4KiB, 1.5. In formulas a suffix is written out,
 * since {@code 2m} might be meant as twice {@code m}; where a number stands alone a {@link #size}
 * is taken.
 */
public final class Numbers {
  private static final Pattern WHOLE =
      Pattern.compile("([+-]?\\d{1,19})(?: ?([KMGT])iB)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern HEX = Pattern.compile("0x([0-9A-Fa-f]{1,16})");
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d{1,40}(\\.\\d{0,40})?|\\.\\d{1,40})([eE][+-]?\\d{1,4})?");

  private static final Pattern DURATION = Pattern.compile("([0-9.]{1,40})(s|ms|us|ns)");

  private Numbers() {}

  /** A whole number of 64 bits; hexadecimal ones may use the sign bit. */
  public static OptionalLong whole(String text) {
    Matcher hex = HEX.matcher(text);
    if (hex.matches()) {
      return OptionalLong.of(Long.parseUnsignedLong(hex.group(1), 16));
    }
    Matcher matcher = WHOLE.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    try {
      long value = Long.parseLong(matcher.group(1));
      return OptionalLong.of(Math.multiplyExact(value, 1L << shift(matcher.group(2))));
    } catch (NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** As {@link #whole}, or a number of bytes in the notation of {@link ByteSize}. */
  public static OptionalLong size(String text) {
    OptionalLong whole = whole(text);
    if (whole.isPresent()) {
      return whole;
    }
    try {
      return OptionalLong.of(ByteSize.parse(text));
    } catch (NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** A finite number. */
  public static OptionalDouble real(String text) {
    OptionalLong whole = whole(text);
    if (whole.isPresent()) {
      return OptionalDouble.of(whole.getAsLong());
    }
    if (!REAL.matcher(text).matches()) {
      return OptionalDouble.empty();
    }
    double value = Double.parseDouble(text);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** A time as {@code 1.5s}, {@code 20ms}, {@code 7us} or {@code 100ns}, in nanoseconds. */
  static OptionalLong duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    OptionalDouble number = real(matcher.group(1));
    long unit =
        switch (matcher.group(2)) {
          case "s" -> 1_000_000_000;
          case "ms" -> 1_000_000;
          case "us" -> 1000;
          default -> 1;
        };
    return number.isPresent() && Math.abs(number.getAsDouble()) * unit < 1e18
        ? OptionalLong.of(Math.round(number.getAsDouble() * unit))
        : OptionalLong.empty();
  }

  private static int shift(String suffix) {
    return suffix == null ? 0 : 10 * ("kmgt".indexOf(suffix.toLowerCase(Locale.ROOT)) + 1);
  }
}
