package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * The groups' ceilings: a bucket each that holds at most a quota and gets one at the end of each
 * period. A debt is carried over, and what was charged in advance and not used comes back.
 */
final class Ceilings {
  static final int NONE = -1;

  private static final long LATEST = CoreTime.NEVER - 1;
  private static final int SHIFT = 3;
  private static final int TOKENS = 0;
  private static final int REFILL_AT = 1;

  /** The next group above that has a ceiling. */
  private static final int ABOVE = 2;

  private static final int QUOTA = 3;
  private static final int PERIOD = 4;

  /** How many of it and the groups above are at their ceiling. */
  private static final int BLOCKED = 5;

  private static final int BLOCKED_NS = 6;
  private static final int BLOCKED_AT = 7;

  private final CoreTime time;
  private final Groups groups;
  private final long[] row;
  private final boolean[] throttled;

  Ceilings(Groups groups, CoreTime time) {
    this.groups = groups;
    this.time = time;
    row = new long[groups.capacity() << SHIFT];
    throttled = new boolean[groups.capacity()];
    clear(Groups.ROOT);
  }

  /** Of a group that is new; nothing is throttled. */
  void clear(int g) {
    Arrays.fill(row, g << SHIFT, (g + 1) << SHIFT, 0);
    row[(g << SHIFT) + ABOVE] = NONE;
  }

  boolean exists(int g) {
    return row[(g << SHIFT) + QUOTA] != 0;
  }

  /** The nearest group with a ceiling, {@code g} itself included. */
  int nearest(int g) {
    int at = g;
    while (at != NONE && !exists(at)) {
      at = groups.parent(at);
    }
    return at;
  }

  int above(int g) {
    return (int) row[(g << SHIFT) + ABOVE];
  }

  /** After the tree or a ceiling has changed. */
  void link() {
    for (int g = 0; g < throttled.length; g++) {
      if (groups.isPresent(g)) {
        row[(g << SHIFT) + ABOVE] = g == Groups.ROOT ? NONE : nearest(groups.parent(g));
      }
    }
  }

  boolean isThrottled(int g) {
    return throttled[g];
  }

  /** Whether a ceiling keeps it, or what is above it, out of the queues where it waits. */
  boolean isHeld(int g) {
    return row[(g << SHIFT) + BLOCKED] > row[(groups.above(g) << SHIFT) + BLOCKED];
  }

  /** Whether it or a group above is at its ceiling. */
  boolean isBlocked(int g) {
    return row[(g << SHIFT) + BLOCKED] != 0;
  }

  /** The nearest throttled group, {@code g} itself included; there must be one. */
  int blockedBy(int g) {
    int at = g;
    while (!throttled[at]) {
      at = groups.parent(at);
    }
    return at;
  }

  void setThrottled(int g, boolean now) {
    throttled[g] = now;
    for (int below = 0; below < throttled.length; below++) {
      if (groups.isPresent(below) && groups.isWithin(below, g)) {
        int n = below << SHIFT;
        long before = row[n + BLOCKED];
        row[n + BLOCKED] += now ? 1 : -1;
        if (before == 0) {
          row[n + BLOCKED_AT] = time.now();
        } else if (row[n + BLOCKED] == 0) {
          row[n + BLOCKED_NS] += time.now() - row[n + BLOCKED_AT];
        }
      }
    }
  }

  /** How long it or a group above has been at its ceiling, altogether. */
  long blockedNs(int g) {
    int n = g << SHIFT;
    long sum = row[n + BLOCKED_NS];
    return isBlocked(g) ? sum + time.now() - row[n + BLOCKED_AT] : sum;
  }

  /** What was used of this period stays used; more or less is there at once. */
  void set(int g, long quotaNs, long periodNs) {
    int n = g << SHIFT;
    long before = row[n + QUOTA];
    long now = time.now();
    if (before == 0) {
      row[n + TOKENS] = quotaNs;
      row[n + REFILL_AT] = now + periodNs;
    } else if (quotaNs != 0) {
      refill(g);
      row[n + TOKENS] = Limits.changed(row[n + TOKENS], before, quotaNs);
      row[n + REFILL_AT] = Math.min(row[n + REFILL_AT], now + periodNs);
    }
    row[n + QUOTA] = quotaNs;
    row[n + PERIOD] = periodNs;
  }

  /** Takes from the bucket what runs now; returns whether the ceiling is reached. */
  boolean take(int g, long ns) {
    int n = g << SHIFT;
    if (time.now() >= row[n + REFILL_AT]) {
      refill(g);
    }
    long left = row[n + TOKENS] - ns;
    row[n + TOKENS] = left;
    return left <= 0;
  }

  /** Corrects what was taken; returns whether the ceiling is, or was, reached. */
  boolean correct(int g, long ns) {
    int n = g << SHIFT;
    long before = row[n + TOKENS];
    if (time.now() >= row[n + REFILL_AT]) {
      refill(g);
    }
    // periods that began because work seemed to take longer than it did leave no more than a quota
    long most = Math.max(row[n + TOKENS], row[n + QUOTA]);
    long left = Math.min(most, row[n + TOKENS] - ns);
    row[n + TOKENS] = left;
    return left <= 0 || before <= 0;
  }

  /** What may be taken now. */
  long freshTokens(int g) {
    int n = g << SHIFT;
    if (time.now() >= row[n + REFILL_AT]) {
      refill(g);
    }
    return row[n + TOKENS];
  }

  /** Keeps the bucket within its bounds; returns whether it is empty. */
  boolean settle(int g) {
    int n = g << SHIFT;
    refill(g);
    row[n + TOKENS] = Math.max(row[n + TOKENS], -Limits.MAX_DEBT_NS);
    return row[n + TOKENS] <= 0;
  }

  private void refill(int g) {
    int n = g << SHIFT;
    long late = time.now() - row[n + REFILL_AT];
    if (late < 0) {
      return;
    }
    long quota = row[n + QUOTA];
    long periods = late / row[n + PERIOD] + 1;
    row[n + REFILL_AT] += periods * row[n + PERIOD];
    long needed = (quota - row[n + TOKENS]) / quota + 1;
    row[n + TOKENS] = Math.min(quota, row[n + TOKENS] + Math.min(periods, needed) * quota);
  }

  /** When a bucket that is empty will not be. */
  long releaseAt(int g) {
    int n = g << SHIFT;
    long periods = -row[n + TOKENS] / row[n + QUOTA];
    // a deep debt of a small quota may last for longer than there are nanoseconds
    return periods > (LATEST - row[n + REFILL_AT]) / row[n + PERIOD]
        ? LATEST
        : row[n + REFILL_AT] + periods * row[n + PERIOD];
  }

  long tokens(int g) {
    return row[(g << SHIFT) + TOKENS];
  }

  /** 0 without a ceiling. */
  long quota(int g) {
    return row[(g << SHIFT) + QUOTA];
  }

  long period(int g) {
    return row[(g << SHIFT) + PERIOD];
  }

  /** Of all groups. */
  int numbers() {
    return row.length;
  }

  /** Whether a number does not follow from settings and others. */
  boolean isState(int i) {
    int field = i & (1 << SHIFT) - 1;
    return field == TOKENS || field == REFILL_AT || field == BLOCKED_NS;
  }

  long number(int i) {
    return row[i];
  }

  void restore(int i, long value) {
    row[i] = value;
  }

  long refillAt(int g) {
    return row[(g << SHIFT) + REFILL_AT];
  }
}
