package io.isle.apps.jobs.formula;

import io.isle.api.base.ByteSize;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
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
  private static final Pattern LONG_WHOLE =
      Pattern.compile("([+-]?\\d{1,40})(?: ?([KMGT])iB)?", Pattern.CASE_INSENSITIVE);
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

  /**
   * The exact value of a finite number, of any of the forms of {@link #whole} and {@link #real};
   * hexadecimal ones have no sign bit. Empty beyond {@link Rational#MAX_BITS}, too.
   */
  public static Optional<Rational> exact(String text) {
    Matcher hex = HEX.matcher(text);
    if (hex.matches()) {
      return Optional.of(new Rational(new BigInteger(hex.group(1), 16), BigInteger.ONE));
    }
    Matcher whole = LONG_WHOLE.matcher(text);
    if (whole.matches()) {
      BigInteger digits = new BigInteger(whole.group(1));
      return Optional.of(new Rational(digits.shiftLeft(shift(whole.group(2))), BigInteger.ONE));
    }
    try {
      return real(text).isPresent()
          ? Optional.of(Rational.of(new BigDecimal(text)))
          : Optional.empty();
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** As {@link #exact}, or a size as {@link #size}. */
  public static Optional<Rational> exactSize(String text) {
    Optional<Rational> exact = exact(text);
    if (exact.isPresent()) {
      return exact;
    }
    OptionalLong size = size(text);
    return size.isPresent() ? Optional.of(Rational.of(size.getAsLong())) : Optional.empty();
  }

  /** {@code inf} or {@code nan}, with or without YAML's point; an infinity may have a sign. */
  public static OptionalDouble special(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", ".inf", "+.inf" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
      case "-inf", "-.inf" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
      case "nan", ".nan" -> OptionalDouble.of(Double.NaN);
      default -> OptionalDouble.empty();
    };
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
  public static OptionalLong duration(String text) {
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
