package io.isle.sim;

import java.math.BigDecimal;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: 500ns, 20us, 1.5ms, 10s. */
final class Durations {
  static final long US = 1_000;
  static final long MS = 1_000_000;
  static final long S = 1_000_000_000;

  private static final Pattern TIME =
      Pattern.compile("(-?[0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|ms|s)");

  private Durations() {}

  /** Whole nanoseconds; empty for what is no time, or not whole. */
  static OptionalLong parse(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    try {
      BigDecimal ns =
          new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit(matcher.group(2))));
      return OptionalLong.of(ns.longValueExact());
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  private static long unit(String name) {
    return switch (name) {
      case "ns" -> 1;
      case "us" -> US;
      case "ms" -> MS;
      default -> S;
    };
  }

  /** Exact, in the largest unit that keeps it short. */
  static String text(long ns) {
    for (long unit : new long[] {S, MS, US}) {
      if (ns % unit == 0 && ns != 0) {
        return ns / unit + name(unit);
      }
    }
    return ns + "ns";
  }

  /** Three digits, for tables. */
  static String rounded(long ns) {
    for (long unit : new long[] {S, MS, US}) {
      if (Math.abs(ns) >= unit) {
        double value = (double) ns / unit;
        String form = Math.abs(value) < 9.995 ? "%.2f" : Math.abs(value) < 99.95 ? "%.1f" : "%.0f";
        return String.format(java.util.Locale.ROOT, form, value) + name(unit);
      }
    }
    return ns + "ns";
  }

  private static String name(long unit) {
    return unit == S ? "s" : unit == MS ? "ms" : "us";
  }
}
