package io.isle.core.accel.sched;

/**
 * What makes a decision cheap: the context that is served goes on being the one to serve until its
 * budget or one of its ceilings runs out, something becomes due, or somebody else comes or goes. So
 * once it is found, the least of these is lent to it; decisions within only count this down, and
 * what was used is charged to all levels at once when the lease ends. Where nobody else is ready,
 * it may have nothing to start for a while, as long as something of it runs: that is no rest to the
 * rules. A lease changes no decision.
 */
final class Lease {
  private static final int NO_CODE = -2;

  private final Placement placement;
  private final Slots slots;

  /** Whose it is; {@link Contexts#NONE} when there is none. */
  private int context = Contexts.NONE;

  /** The context while it has something to start, else {@link Contexts#NONE}. */
  private int served = Contexts.NONE;

  /** Whether nobody else is ready. */
  private boolean alone;

  /** Submissions that started within and have not ended. */
  private int flying;

  /** Of the slots that are charged to it. */
  private int code = NO_CODE;

  /** The latest time, and the first that is not within, in the caller's clock. */
  private long from;

  private long until = Long.MIN_VALUE;

  /** What can still be charged. */
  private long left;

  /** Of what is charged, how much the fair queues are not, for those that fly. */
  private long excess;

  /**
   * The least that was left, as the fair queues are charged, when one started: there the virtual
   * times of its queues are.
   */
  private long lowest;

  /** As in the context's account. */
  private long estimate;

  private long since;

  /** From the last start before a rest to its end, of all rests. */
  private long rested;

  /** Busy time of what ended. */
  private long given;

  /** When the last submission ended, with or without a lease; in the caller's clock. */
  private long freed;

  private int grade;
  private long granted;
  private long firstOrder;
  private int number;

  Lease(Placement placement, Slots slots) {
    this.placement = placement;
    this.slots = slots;
  }

  /** Whether the time is within, and is now {@code now}. */
  boolean at(long now) {
    if (now < from || now >= until) {
      return false;
    }
    from = now;
    return true;
  }

  /** The context to serve within; {@link Contexts#NONE} while there is nothing to start. */
  int served() {
    return served;
  }

  /**
   * The context has nothing to start. False, and nothing is done, if that ends the lease.
   *
   * @return true also if it had nothing before
   */
  boolean idle(int c) {
    if (c != context || served != Contexts.NONE && (!alone || flying == 0)) {
      return false;
    }
    served = Contexts.NONE;
    return true;
  }

  /** The context has something again. False if that is not for the lease, which may end by that. */
  boolean ready(int c) {
    if (c != context || served != Contexts.NONE) {
      return false;
    }
    if (flying == 0 || left + excess > lowest) {
      end();
      return false;
    }
    served = c;
    rested += from - since;
    since = from;
    return true;
  }

  /** A submission starts; false, and nothing is done, if that is not for the lease. */
  boolean start(int slot, int c, long now, long advance) {
    long charge = advance < 0 ? estimate : advance;
    long rest = left - charge;
    if (c != served || rest <= 0 || now < from || now >= until) {
      return false;
    }
    lowest = Math.min(lowest, left + excess);
    left = rest;
    from = now;
    since = now;
    flying++;
    long over = Submissions.excess(charge, estimate);
    excess += over;
    slots.put(slot, code, charge, over, now);
    return true;
  }

  /** One that was charged to the lease ends; false, and nothing is done, if it was not. */
  boolean end(int slot, long busyNs, long now) {
    long rest = left - (busyNs - slots.charge(slot));
    if (slots.code(slot) != code
        || slots.order(slot) < firstOrder
        || rest <= 0
        || now < from
        || now >= until
        || busyNs >>> Limits.CHARGE_BITS != 0) {
      return false;
    }
    left = rest;
    from = now;
    freed = now;
    estimate = Accounts.next(estimate, busyNs);
    given += busyNs;
    flying--;
    excess -= slots.excess(slot);
    slots.clear(slot);
    return true;
  }

  void setFreed(long now) {
    freed = now;
  }

  long freed() {
    return freed;
  }

  /** The context was picked now; lends to it if it stays first until then. */
  void grant(int c) {
    long[] row = placement.accounts.row;
    int n = c << Accounts.SHIFT;
    int s = placement.contexts.server(c);
    if (row[n + Accounts.ESTIMATE] == Accounts.FIRST_ESTIMATE_NS || !placement.queues.isAlone(c)) {
      return;
    }
    grade = placement.gradeOf(c);
    long most = grade == Slots.COVERED ? placement.servers.budget(s) : Limits.MAX_CHARGE_NS;
    long end = placement.time.alarm();
    for (int g = placement.contexts.ceiling(c); g >= 0; g = placement.ceilings.above(g)) {
      most = Math.min(most, placement.ceilings.freshTokens(g));
      end = Math.min(end, placement.ceilings.refillAt(g));
    }
    if (most <= 0) {
      return;
    }
    context = c;
    served = c;
    alone = grade != Slots.SPARE && placement.contexts.ready() == 1;
    flying = 0;
    number = number % Slots.LEASES + 1;
    code = Slots.code(c, grade, number);
    from = placement.time.callers(placement.time.now());
    until = placement.time.callers(end);
    granted = most;
    left = most;
    lowest = most;
    excess = 0;
    estimate = row[n + Accounts.ESTIMATE];
    since = from;
    rested = 0;
    given = 0;
    firstOrder = slots.orders();
  }

  /** Charges what was used. By construction nothing runs out by that. */
  void end() {
    if (context == Contexts.NONE) {
      return;
    }
    int c = context;
    int n = c << Accounts.SHIFT;
    long[] row = placement.accounts.row;
    long started = slots.orders() - firstOrder;
    placement.time.at(from);
    if (started > 0) {
      long waits = placement.time.now() - (from - since);
      row[n + Accounts.WAITED] += waits - row[n + Accounts.SINCE] - rested;
      row[n + Accounts.SINCE] = waits;
      row[n + Accounts.STARTED] += started;
    }
    row[n + Accounts.ESTIMATE] = estimate;
    row[n + Accounts.GIVEN] += given;
    placement.groups.given(placement.contexts.group(c), given);
    long used = granted - left;
    int s = placement.contexts.server(c);
    if (grade == Slots.COVERED) {
      boolean ignored = placement.servers.charge(s, used);
    }
    if (!placement.isGuaranteed()) {
      if (started > 0) {
        placement.queues.hadTurn(c);
      }
    } else if (s != c && started > 0) {
      long before = granted - lowest;
      placement.fair.correct(c, before);
      placement.fair.start(c, used - excess - before);
    }
    for (int g = placement.contexts.ceiling(c); g >= 0; g = placement.ceilings.above(g)) {
      boolean ignored = placement.ceilings.correct(g, used);
    }
    if (served == Contexts.NONE) {
      placement.rest(c, false);
    }
    context = Contexts.NONE;
    served = Contexts.NONE;
    code = NO_CODE;
    until = Long.MIN_VALUE;
  }
}
