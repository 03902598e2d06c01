package io.isle.core.accel.sched;

/**
 * Ranges of what {@link SchedulingCore} is given, and arithmetic within them; each refusal names
 * the field and the limit.
 */
final class Limits {
  static final int PRIORITIES = 4;
  static final int MAX_CONTEXTS = 4096;
  static final int MAX_GROUPS = 256;
  static final int MAX_DEPTH = 1024;
  static final int MAX_UNITS = 1 << 16;
  static final int MAX_WEIGHT = 10_000;
  static final int DEFAULT_WEIGHT = 100;
  static final long MIN_PERIOD_NS = 1_000_000;
  static final long MAX_PERIOD_NS = 10_000_000_000L;

  /** Parts of periods are counted in these. */
  static final long PERIOD_STEP_NS = 1_000;

  static final long MIN_QUOTA_NS = 1_000;

  static final int CHARGE_BITS = 40;

  /** Longest busy time of a submission that counts, 18 minutes: keeps sums within 64 bits. */
  static final long MAX_CHARGE_NS = (1L << CHARGE_BITS) - 1;

  /** Deepest debt that is kept, 833 days. */
  static final long MAX_DEBT_NS = 1L << 56;

  private Limits() {}

  static int check(String field, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          field + " " + value + " is not within " + least + " to " + most);
    }
    return value;
  }

  /** A quota a period; a quota of 0 is none, then the period does not count. */
  static void checkRate(String field, long quotaNs, long periodNs, int units) {
    if (quotaNs == 0) {
      return;
    }
    if (periodNs < MIN_PERIOD_NS || periodNs > MAX_PERIOD_NS || periodNs % PERIOD_STEP_NS != 0) {
      throw new IllegalArgumentException(
          "%s: a period of %d ns is not a whole number of microseconds within %d to %d ns"
              .formatted(field, periodNs, MIN_PERIOD_NS, MAX_PERIOD_NS));
    }
    if (quotaNs < MIN_QUOTA_NS || quotaNs > periodNs * units) {
      throw new IllegalArgumentException(
          "%s: a quota of %d ns is not within %d to %d ns"
              .formatted(field, quotaNs, MIN_QUOTA_NS, periodNs * units));
    }
  }

  static long charge(long busyNs) {
    return Math.clamp(busyNs, 0, MAX_CHARGE_NS);
  }

  /** What is left of a quota that has changed: what was used stays used, without new debt. */
  static long changed(long left, long before, long quota) {
    if (left > 0) {
      return Math.clamp(left + quota - before, 0, quota);
    }
    return quota > before ? Math.min(left + quota - before, quota) : left;
  }

  /** A rate as a quota of another period, rounded up. */
  static long perPeriod(long quotaNs, long periodNs, long otherNs) {
    long parts = periodNs / PERIOD_STEP_NS;
    long rest = quotaNs % periodNs * (otherNs / PERIOD_STEP_NS);
    return quotaNs / periodNs * otherNs + (rest + parts - 1) / parts;
  }
}
