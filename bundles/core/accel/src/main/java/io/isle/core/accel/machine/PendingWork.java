package io.isle.core.accel.machine;

/**
 * Per context, the submissions that have not started: those that start again, then the pending ones
 * in order. Tells the scheduler which contexts have one that may start now: its waits are over and
 * nothing holds the context. Not thread-safe.
 */
public final class PendingWork {
  private final DeviceScheduler scheduler;
  private final PointEndings endings;
  private final Restarts restarts;
  private final long[] submitted;

  /** The newest point that has started or ended in its turn. */
  private final long[] passed;

  private final boolean[] blocked;

  /** How many hold it, the gathering of what came back among them. */
  private final int[] held;

  /** Whether something came back while more is in flight. */
  private final boolean[] gathering;

  private final ContextSet waiting;

  PendingWork(int contexts, DeviceScheduler scheduler, PointEndings endings) {
    this.scheduler = scheduler;
    this.endings = endings;
    restarts = new Restarts(contexts);
    submitted = new long[contexts];
    passed = new long[contexts];
    blocked = new boolean[contexts];
    held = new int[contexts];
    gathering = new boolean[contexts];
    waiting = new ContextSet(contexts);
  }

  void open(int c) {
    submitted[c] = 0;
    passed[c] = 0;
    blocked[c] = false;
    held[c] = 0;
    gathering[c] = false;
    restarts.clear(c);
  }

  public long submitted(int c) {
    return submitted[c];
  }

  /** All points up to {@code newest} are there; {@link #changed} follows. */
  void submit(int c, long newest) {
    submitted[c] = newest;
  }

  /** Whether nothing is pending, restarts apart. */
  boolean isEmpty(int c) {
    return passed[c] == submitted[c];
  }

  /** The point that is pending first. */
  public long head(int c) {
    return passed[c] + 1;
  }

  /** Whether a point was taken and has not come back. */
  public boolean isTaken(int c, long point) {
    return point <= passed[c] && !restarts.has(c, point);
  }

  public Restarts restarts() {
    return restarts;
  }

  /** Contexts whose head waits for points. */
  public ContextSet waiting() {
    return waiting;
  }

  /** Whether the point that starts next is a replay. */
  boolean startsReplay(int c) {
    return restarts.count(c) > 0 && restarts.isReplay(c, 0);
  }

  /** Takes the point that starts next; there must be one. */
  long take(int c) {
    return restarts.count(c) > 0 ? restarts.take(c) : ++passed[c];
  }

  /** Puts back what {@link #take} gave last; what it waited for is over. */
  void putBack(int c, long point) {
    if (!restarts.putBack(c, point)) {
      passed[c] = point - 1;
    }
    blocked[c] = false;
    waiting.remove(c);
    ready(c);
  }

  /** A point that was in flight at a crash starts again, before all that is pending. */
  void replay(int c, long point) {
    restarts.add(c, point, true);
    changed(c);
  }

  /**
   * A point that was taken comes back. The context rests until {@link #gather}, so that what comes
   * back starts in order.
   *
   * @param replay it starts again although it had begun
   * @return whether the context rested already
   */
  boolean giveBack(int c, long point, boolean replay) {
    boolean before = rest(c);
    restarts.add(c, point, replay);
    changed(c);
    return before;
  }

  /** The context rests until {@link #gather}; returns whether it did already. */
  boolean rest(int c) {
    boolean before = gathering[c];
    if (!before) {
      gathering[c] = true;
      hold(c, true);
    }
    return before;
  }

  /**
   * Nothing of the context is in flight.
   *
   * @return whether it rested
   */
  boolean gather(int c) {
    if (!gathering[c]) {
      return false;
    }
    gathering[c] = false;
    hold(c, false);
    return true;
  }

  /** What the head waits for is over. */
  void release(int c) {
    if (blocked[c]) {
      blocked[c] = false;
      waiting.remove(c);
      ready(c);
    }
  }

  /** Holds the context, or takes one hold back. */
  void hold(int c, boolean now) {
    held[c] += now ? 1 : -1;
    changed(c);
  }

  void releaseHolds(int c) {
    held[c] = 0;
    changed(c);
  }

  /** Ends all that have not started. */
  void endAll(int c, int code) {
    end(c, code, true);
  }

  /** Ends all but replays. */
  void endNew(int c, int code) {
    end(c, code, false);
  }

  private void end(int c, int code, boolean replaysToo) {
    for (int i = restarts.count(c) - 1; i >= 0; i--) {
      if (replaysToo || !restarts.isReplay(c, i)) {
        long point = restarts.get(c, i);
        boolean ignored = restarts.remove(c, point);
        endings.record(c, point, code);
      }
    }
    endings.endAll(c, head(c), submitted[c], code);
    changed(c);
  }

  /** Ends one of them. */
  void refuse(int c, long point, int code) {
    boolean ignored = restarts.remove(c, point);
    endings.record(c, point, code);
    changed(c);
  }

  /** Whether something of the context may start but for the scheduler: nothing holds it. */
  public boolean isStartable(int c) {
    return held[c] == 0 && !blocked[c] && (restarts.count(c) > 0 || !isEmpty(c));
  }

  /** What may start next has changed. */
  void changed(int c) {
    while (passed[c] < submitted[c] && endings.has(c, passed[c] + 1)) {
      passed[c]++;
    }
    blocked[c] = false;
    waiting.remove(c);
    if (restarts.count(c) > 0) {
      ready(c);
    } else if (isEmpty(c)) {
      scheduler.idle(c);
    } else if (endings.queue(c).hasWaits(head(c))) {
      blocked[c] = true;
      waiting.add(c);
      scheduler.idle(c);
    } else {
      ready(c);
    }
  }

  private void ready(int c) {
    if (held[c] > 0) {
      scheduler.idle(c);
    } else {
      scheduler.ready(c);
    }
  }
}
