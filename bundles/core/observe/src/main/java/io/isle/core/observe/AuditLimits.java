package io.isle.core.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Settings of {@code io.isle.audit}.
 *
 * @param retention files whose last record is older go; 1 to 3650 days
 * @param maxFileBytes size from which a new file begins; 4 KiB to 1 GiB
 * @param maxTotalBytes the oldest files go beyond it, whatever their age; 64 KiB to 1 TiB
 * @param perSecond events a second of one tenant or user; 1 to 10000
 */
record AuditLimits(Duration retention, long maxFileBytes, long maxTotalBytes, int perSecond) {
  static final AuditLimits DEFAULT = new AuditLimits(Duration.ofDays(30), 8L << 20, 1L << 30, 10);

  /** Limits with what is to be told the administrator about values that were not taken. */
  record Checked(AuditLimits limits, List<String> complaints) {}

  /**
   * Reads settings; a key that is missing has its default. A value out of range counts as its
   * nearest bound; one that is no number is refused, and {@code last} stays in force for it.
   */
  static Checked of(Map<String, ?> settings, AuditLimits last) {
    Reader reader = new Reader(settings);
    AuditLimits std = DEFAULT;
    AuditLimits limits =
        new AuditLimits(
            Duration.ofDays(
                reader.number(
                    "retention_days", 1, 3650, std.retention.toDays(), last.retention.toDays())),
            reader.number("max_file_bytes", 4 << 10, 1L << 30, std.maxFileBytes, last.maxFileBytes),
            reader.number(
                "max_total_bytes", 64 << 10, 1L << 40, std.maxTotalBytes, last.maxTotalBytes),
            (int) reader.number("per_tenant_per_s", 1, 10_000, std.perSecond, last.perSecond));
    return new Checked(limits, List.copyOf(reader.complaints));
  }

  /** Burst that a tenant may save up for: four seconds' worth. */
  int burst() {
    return 4 * perSecond;
  }

  private record Reader(Map<String, ?> settings, List<String> complaints) {
    Reader(Map<String, ?> settings) {
      this(settings, new ArrayList<>());
    }

    long number(String key, long min, long max, long std, long last) {
      Object value = settings.get(key);
      if (value == null) {
        return std;
      }
      String text = value.toString().strip();
      try {
        long number = parse(text);
        if (number < min || number > max) {
          complaints.add(key + ": " + text + " is not in " + min + ".." + max);
        }
        return Math.clamp(number, min, max);
      } catch (NumberFormatException | ArithmeticException e) {
        complaints.add(key + ": '" + text + "' is not a number; " + last + " stays in force");
        return last;
      }
    }

    private static long parse(String text) {
      String digits = text.toLowerCase(Locale.ROOT);
      int shift =
          digits.isEmpty() ? 0 : 10 * (1 + "kmg".indexOf(digits.charAt(digits.length() - 1)));
      return shift == 0
          ? Long.parseLong(digits)
          : Math.multiplyExact(
              Long.parseLong(digits.substring(0, digits.length() - 1)), 1L << shift);
    }
  }
}
