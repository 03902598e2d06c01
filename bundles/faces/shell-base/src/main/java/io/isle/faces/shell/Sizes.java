package io.isle.faces.shell;

import java.util.Locale;

/** Numbers as people read them. */
public final class Sizes {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Sizes() {}

  /** Bytes with a binary unit, such as {@code 64 MiB}; {@code -} for null. */
  public static String bytes(Object value) {
    if (!(value instanceof Number number)) {
      return "-";
    }
    double rest = number.doubleValue();
    int unit = 0;
    while (rest >= 1024 && unit < UNITS.length - 1) {
      rest /= 1024;
      unit++;
    }
    String digits =
        rest == Math.rint(rest)
            ? Long.toString((long) rest)
            : String.format(Locale.ROOT, "%.1f", rest);
    return digits + " " + UNITS[unit];
  }

  /** Nanoseconds with a unit from ns to s; {@code -} for null. */
  public static String nanos(Object value) {
    if (!(value instanceof Number number)) {
      return "-";
    }
    double ns = number.doubleValue();
    if (ns < 1e3) {
      return String.format(Locale.ROOT, "%.0f ns", ns);
    }
    if (ns < 1e6) {
      return String.format(Locale.ROOT, "%.1f us", ns / 1e3);
    }
    return ns < 1e9
        ? String.format(Locale.ROOT, "%.1f ms", ns / 1e6)
        : String.format(Locale.ROOT, "%.2f s", ns / 1e9);
  }

  /** A number with one digit behind the point; {@code -} for null. */
  public static String tenths(Object value) {
    return value instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : "-";
  }
}
