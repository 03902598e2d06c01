package io.isle.core.accel.sched;

import io.isle.api.driver.PreemptReason;
import java.util.Arrays;

/**
 * Advice on which submission should leave the device before its end (42.2.4): only where work that
 * goes first is kept from running, or a ceiling is passed; taking work off a device is dear. The
 * caller asks after it has started all that it can. On devices that do not stop what runs, what
 * only waits there leaves, so that who goes first is next (44.4).
 */
public final class Preemption {
  public static final int NONE = -1;

  /** What runs beyond its share leaves for those that are promised theirs, but not before. */
  public static final long LEAST_RUN_NS = 1_000_000;

  /** What runs by weight leaves for its equals after this. */
  public static final long SLICE_NS = 10_000_000;

  private final Placement placement;
  private final Slots slots;
  private final Lease lease;
  private final Submissions submissions;
  private final Contender waiting;
  private int parallel = 1;
  private boolean stops = true;

  /** By slot: the order of what was seen running there, and since when it has, as far as known. */
  private final long[] seen;

  private final long[] since;

  private int reason;
  private int advised;
  private long due;

  Preemption(Placement placement, Slots slots, Lease lease, Submissions submissions) {
    this.lease = lease;
    this.submissions = submissions;
    this.placement = placement;
    this.slots = slots;
    waiting = new Contender(placement, slots);
    seen = new long[slots.depth()];
    since = new long[slots.depth()];
    forget();
  }

  /** What runs has not been seen. */
  void forget() {
    Arrays.fill(seen, NONE);
  }

  /**
   * How many submissions the device runs side by side, at least 1; those behind only wait in it.
   */
  public void setParallel(int count) {
    placement.inputs.plain(Inputs.PARALLEL, count);
    parallel = Limits.check("parallel", count, 1, Limits.MAX_DEPTH);
  }

  /** Whether the device can stop what runs; else only what waits in it comes back. */
  public void setStops(boolean can) {
    placement.inputs.plain(Inputs.STOPS, can ? 1 : 0);
    stops = can;
  }

  boolean stops() {
    return stops;
  }

  /** The slot of the submission that should leave; {@link #NONE} if none should. */
  public int advise(long now) {
    int slot = find(now);
    placement.inputs.advise(now, slot, reason);
    return slot;
  }

  /** How many that is. */
  int parallel() {
    return parallel;
  }

  private int find(long now) {
    lease.end();
    placement.time.at(now);
    advised = NONE;
    due = CoreTime.NEVER;
    int slot = slots.after(-1);
    for (int i = 0; i < parallel && slot != NONE; i++) {
      accrue(slot, now);
      slot = slots.after(slots.order(slot));
    }
    waiting.find(parallel);
    if (isLeaving()) {
      // there will be room for it
      waiting.clear();
    }
    slot = slots.after(-1);
    for (int i = 0; slot != NONE && (stops ? i < parallel : advised == NONE); i++) {
      if (!slots.isLeaving(slot)) {
        if (stops) {
          judge(slot, now);
        } else if (i >= parallel) {
          judgeBehind(slot);
        }
      }
      slot = slots.after(slots.order(slot));
    }
    return advised;
  }

  /** Charges what has run for longer than was charged in advance, so that others are seen. */
  private void accrue(int slot, long now) {
    long more = ranNs(slot, now) / parallel - slots.charge(slot);
    if (more > 0) {
      submissions.runOver(slot, more);
    }
  }

  /** It may have waited in the device until the last end of another. */
  private long ranNs(int slot, long now) {
    if (seen[slot] != slots.order(slot)) {
      seen[slot] = slots.order(slot);
      since[slot] = Math.max(slots.start(slot), lease.freed());
    }
    return Limits.charge(now - since[slot]);
  }

  /** Why, after {@link #advise} has named one. */
  public int reason() {
    return reason;
  }

  /**
   * When the advice may be another, by time alone, after {@link #advise}; in the caller's clock.
   */
  public long nextTimer() {
    return placement.time.callers(due);
  }

  /** It was asked to leave, and is not named again. */
  public void onAsked(int slot) {
    placement.inputs.plain(Inputs.ASKED, slot);
    slots.setLeaving(slot);
  }

  private boolean isLeaving() {
    for (int slot = 0; slot < slots.end(); slot++) {
      if (slots.isLeaving(slot)) {
        return true;
      }
    }
    return false;
  }

  private void judge(int slot, long now) {
    int c = slots.context(slot);
    long since = placement.time.now() - ranNs(slot, now);
    long charge = slots.charge(slot);
    Ceilings ceilings = placement.ceilings;
    for (int g = placement.contexts.ceiling(c); g >= 0; g = ceilings.above(g)) {
      after(slot, since + parallel * Math.max(0, ceilings.tokens(g) + charge));
    }
    int grade = grade(slot, since, charge);
    if (waiting.context() == NONE) {
      return;
    }
    int above = waiting.above(c);
    if (waiting.context() == c) {
      // it is first itself, until what it uses makes it others' turn
      due = Math.min(due, placement.time.now() + SLICE_NS);
    } else if (above > 0 && waiting.grade() <= grade) {
      advised = slot;
      reason = PreemptReason.PRIORITY_INVERSION;
    } else if (waiting.grade() < grade) {
      after(slot, since + LEAST_RUN_NS);
    } else if (waiting.grade() == grade && grade != Slots.COVERED && above == 0) {
      after(slot, since + SLICE_NS);
    }
  }

  /** It has not begun: nothing is lost by its coming back. */
  private void judgeBehind(int slot) {
    int c = slots.context(slot);
    if (isBeyondCeiling(slot)) {
      advised = slot;
      reason = PreemptReason.FAIRNESS_TIMEOUT;
    } else if (waiting.context() != NONE
        && waiting.context() != c
        && slots.order(slot) < waiting.order()) {
      int above = waiting.above(c);
      int grade = waiting.gradeBehind(slot);
      if (waiting.grade() < grade || waiting.grade() == grade && above > 0) {
        advised = slot;
        reason = above > 0 ? PreemptReason.PRIORITY_INVERSION : PreemptReason.FAIRNESS_TIMEOUT;
      }
    }
  }

  /** Whether a ceiling was reached without it. */
  private boolean isBeyondCeiling(int slot) {
    Ceilings ceilings = placement.ceilings;
    int g = placement.contexts.ceiling(slots.context(slot));
    while (g >= 0 && ceilings.tokens(g) + slots.charge(slot) > 0) {
      g = ceilings.above(g);
    }
    return g >= 0;
  }

  /** What runs within a budget does so until that is used up. */
  private int grade(int slot, long since, long charge) {
    int c = slots.context(slot);
    int s = placement.contexts.server(c);
    if (slots.grade(slot) == Slots.FAIR || s == Contexts.NONE) {
      return Slots.FAIR;
    }
    if (slots.grade(slot) == Slots.SPARE) {
      return placement.gradeOf(c);
    }
    long end = since + parallel * Math.max(0, placement.servers.budget(s) + charge);
    if (placement.time.now() >= end) {
      return Slots.SPARE;
    }
    due = Math.min(due, end);
    return Slots.COVERED;
  }

  private void after(int slot, long time) {
    if (placement.time.now() < time) {
      due = Math.min(due, time);
    } else if (advised == NONE) {
      advised = slot;
      reason = PreemptReason.FAIRNESS_TIMEOUT;
    }
  }
}
