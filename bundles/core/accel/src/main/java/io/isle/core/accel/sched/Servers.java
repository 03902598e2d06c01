package io.isle.core.accel.sched;

/**
 * Constant bandwidth servers with hard reservation: a context or group with a guarantee has a
 * budget of its quota, to be used by its deadline; once it is used up there is none until the
 * deadline, when the quota is added and the deadline moves on by a period. What was used beyond the
 * budget is missing from the next; what was charged in advance and not used is there again.
 *
 * <p>While a device delivers less than it was promised, deadlines lie in the past and only their
 * distance from each other counts: it changes by what was used, and by nothing else.
 */
final class Servers {
  private static final int SHIFT = Accounts.SHIFT;
  private static final int BUDGET = Accounts.BUDGET;
  private static final int DEADLINE = Accounts.DEADLINE;
  private static final int ACTIVE = Accounts.ACTIVE;

  /** Service that a server had a right to and did not get is made up for, within these. */
  private static final long MAX_LAG_PERIODS = 4;

  private static final long MIN_LAG_NS = 1_000_000_000;

  private static final long LATEST = CoreTime.NEVER - 1;

  private final CoreTime time;
  private final long[] row;
  private final long[] quota;
  private final long[] period;

  /** Where those wait that have something ready. */
  final DeadlineQueues deadlines;

  private final Events events;

  Servers(int entities, Accounts accounts, CoreTime time, Events events) {
    this.time = time;
    this.events = events;
    row = accounts.row;
    quota = new long[entities];
    period = new long[entities];
    deadlines = new DeadlineQueues(entities, time);
  }

  boolean exists(int s) {
    return quota[s] != 0;
  }

  /** A quota of 0 ends the server, which must not be wanted. */
  void setRate(int s, long quotaNs, long periodNs) {
    int n = s << SHIFT;
    if (quota[s] == 0) {
      // its first period begins when it is wanted first
      row[n + BUDGET] = quotaNs;
      row[n + DEADLINE] = 0;
    } else if (quotaNs != 0 && (quotaNs != quota[s] || periodNs != period[s])) {
      changeRate(s, quotaNs, periodNs);
    }
    quota[s] = quotaNs;
    period[s] = periodNs;
  }

  /**
   * The period that runs ends within a new one. Until then there is what the new rate gives, less
   * what was used ahead of the old rate; without new debt, and a new quota at most.
   */
  private void changeRate(int s, long quotaNs, long periodNs) {
    int n = s << SHIFT;
    long budget = row[n + BUDGET];
    long left = Math.max(0, row[n + DEADLINE] - time.now());
    long rest = Math.min(left, periodNs);
    long unused = budget - Limits.perPeriod(quota[s], period[s], left);
    long changed = unused + Limits.perPeriod(quotaNs, periodNs, rest);
    row[n + BUDGET] = Math.clamp(changed, Math.min(budget, 0), quotaNs);
    row[n + DEADLINE] -= left - rest;
  }

  /** As if it had just come. */
  void restart(int s) {
    row[(s << SHIFT) + BUDGET] = quota[s];
    row[(s << SHIFT) + DEADLINE] = time.now() + period[s];
  }

  /**
   * One more of its contexts is ready.
   *
   * @param busy whether something of it is in flight; else, after a rest, the wake-up rule applies
   * @param p the context's priority; no server at its ceiling is first there
   */
  void activate(int s, boolean busy, int p) {
    if (row[(s << SHIFT) + ACTIVE]++ == 0 && !busy) {
      wakeUp(s, origin(p));
    }
  }

  /** Now; while deadlines are missed, where those are that did not rest. */
  private long origin(int p) {
    if ((deadlines.eligibleMask() & 1 << p) == 0) {
      return time.now();
    }
    long deadline = deadlines.eligibleDeadline(p);
    return deadline >= time.now() ? time.now() : deadline - period[deadlines.eligibleTop(p)];
  }

  void deactivate(int s) {
    row[(s << SHIFT) + ACTIVE]--;
  }

  long active(int s) {
    return row[(s << SHIFT) + ACTIVE];
  }

  void setActive(int s, long count) {
    row[(s << SHIFT) + ACTIVE] = count;
  }

  /** Of Abeni and Buttazzo: what is left is kept only if it is less than its share until then. */
  private void wakeUp(int s, long from) {
    int n = s << SHIFT;
    replenish(s);
    long budget = row[n + BUDGET];
    long left = row[n + DEADLINE] - from;
    if (budget > 0 && (left <= 0 || !lessThanShare(budget, left, quota[s], period[s]))) {
      row[n + BUDGET] = quota[s];
      row[n + DEADLINE] = from + period[s];
      events.server(Journal.REPLENISH, s, row[n + BUDGET], row[n + DEADLINE]);
    }
  }

  /** Whether {@code budget / left < quota / period}, in 128 bits. */
  static boolean lessThanShare(long budget, long left, long quota, long period) {
    long high = Math.multiplyHigh(budget, period);
    long otherHigh = Math.multiplyHigh(left, quota);
    return high < otherHigh
        || high == otherHigh && Long.compareUnsigned(budget * period, left * quota) < 0;
  }

  /** Takes what runs now; {@link #requeue} when this returns true. */
  boolean charge(int s, long ns) {
    int n = (s << SHIFT) + BUDGET;
    long before = row[n];
    long after = before - ns;
    row[n] = after;
    return after <= 0 || before <= 0;
  }

  /** As {@link #charge} for what took more or less than was charged in advance. */
  boolean correct(int s, long ns) {
    boolean empty = row[(s << SHIFT) + BUDGET] <= 0;
    if (empty) {
      replenish(s);
    }
    boolean crossed = charge(s, ns);
    return takeBack(s) || empty || crossed;
  }

  /** Periods that began because work seemed to take longer than it did. */
  private boolean takeBack(int s) {
    int n = s << SHIFT;
    long over = row[n + BUDGET] - quota[s];
    if (over <= 0) {
      return false;
    }
    long periods = (over - 1) / quota[s] + 1;
    row[n + BUDGET] -= periods * quota[s];
    row[n + DEADLINE] -= periods * period[s];
    return true;
  }

  boolean hasBudget(int s) {
    return row[(s << SHIFT) + BUDGET] > 0;
  }

  long budget(int s) {
    return row[(s << SHIFT) + BUDGET];
  }

  long deadline(int s) {
    return row[(s << SHIFT) + DEADLINE];
  }

  /** After the budget has come, gone or changed. */
  void requeue(int s) {
    int n = s << SHIFT;
    row[n + BUDGET] = Math.max(row[n + BUDGET], -Limits.MAX_DEBT_NS);
    replenish(s);
    if (row[n + BUDGET] <= 0) {
      events.server(Journal.EXHAUST, s, row[n + BUDGET], row[n + DEADLINE]);
    }
    deadlines.replace(s, hasBudget(s), dueAt(s));
  }

  private void replenish(int s) {
    int n = s << SHIFT;
    long late = time.now() - row[n + DEADLINE];
    long budget = row[n + BUDGET];
    if (budget > 0 || late < 0) {
      return;
    }
    long periods = 1;
    if (late >= period[s] && budget + quota[s] <= 0) {
      periods = Math.min(late / period[s] + 1, needed(s, budget));
    }
    row[n + BUDGET] = budget + periods * quota[s];
    row[n + DEADLINE] += periods * period[s];
    if (row[n + BUDGET] > 0) {
      long lag = Math.max(MIN_LAG_NS, MAX_LAG_PERIODS * period[s]);
      if (row[n + DEADLINE] < time.now() - lag) {
        forgive(s, time.now() - lag - row[n + DEADLINE]);
      }
      events.server(Journal.REPLENISH, s, row[n + BUDGET], row[n + DEADLINE]);
    }
  }

  /**
   * What is not made up for any more is lost by all of a priority alike, since their shares follow
   * from how far apart they are; nobody is put more than a period ahead by that.
   */
  private void forgive(int s, long ns) {
    row[(s << SHIFT) + DEADLINE] += ns;
    if (!deadlines.isWanted(s)) {
      return;
    }
    for (int other = 0; other < quota.length; other++) {
      if (other != s
          && quota[other] != 0
          && (!deadlines.isWanted(other) || deadlines.areEqual(other, s))) {
        int n = (other << SHIFT) + DEADLINE;
        row[n] = Math.min(row[n] + ns, Math.max(row[n], time.now() + period[other]));
        deadlines.replace(other, hasBudget(other), dueAt(other));
      }
    }
  }

  /** Periods until a budget that is used up is more than 0. */
  private long needed(int s, long budget) {
    return budget + quota[s] > 0 ? 1 : -budget / quota[s] + 1;
  }

  /** The deadline; of a server without budget, when it has some again. */
  private long dueAt(int s) {
    int n = s << SHIFT;
    if (row[n + BUDGET] > 0) {
      return row[n + DEADLINE];
    }
    long more = needed(s, row[n + BUDGET]) - 1;
    // a deep debt of a small quota may last for longer than there are nanoseconds
    return more > (LATEST - row[n + DEADLINE]) / period[s]
        ? LATEST
        : row[n + DEADLINE] + more * period[s];
  }

  /** It has something ready in this priority. */
  void add(int s, int p) {
    if (!deadlines.isWanted(s) && !hasBudget(s)) {
      replenish(s);
    }
    deadlines.add(s, p, hasBudget(s), dueAt(s));
  }

  /** What it has ready counts again, after {@link DeadlineQueues#hide}. */
  void show(int s) {
    replenish(s);
    deadlines.show(s, hasBudget(s), dueAt(s));
  }

  /** Gives budget to those that are due. */
  void wake() {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      while (deadlines.exhaustedDue(p) <= time.now()) {
        requeue(deadlines.exhaustedTop(p));
      }
    }
  }
}
