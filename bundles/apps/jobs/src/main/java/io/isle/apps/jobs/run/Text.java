package io.isle.apps.jobs.run;

import java.util.Locale;

/** Numbers for people. */
final class Text {
  private Text() {}

  /** Without a fraction where there is none. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.6g", value);
  }
}
