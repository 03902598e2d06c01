package io.isle.core.accel;

/**
 * Per context, the submissions that have not started: those that start again after a crash, then
 * the pending ones in order. Tells the scheduler which contexts have one that may start now: its
 * waits are over and the context is not held. Not thread-safe.
 */
final class PendingWork {
  private final Scheduler scheduler;
  private final EndedPoints ended;
  private final Replays replays;
  private final int[] priority;
  private final long[] submitted;

  /** The newest point that has started or ended in its turn. */
  private final long[] passed;

  private final boolean[] blocked;
  private final boolean[] held;
  private final ContextQueue[] queues;
  private final ContextSet waiting;

  PendingWork(int contexts, Scheduler scheduler, EndedPoints ended) {
    this.scheduler = scheduler;
    this.ended = ended;
    replays = new Replays(contexts);
    priority = new int[contexts];
    submitted = new long[contexts];
    passed = new long[contexts];
    blocked = new boolean[contexts];
    held = new boolean[contexts];
    queues = new ContextQueue[contexts];
    waiting = new ContextSet(contexts);
  }

  void open(int c, int contextPriority, ContextQueue queue) {
    priority[c] = contextPriority;
    submitted[c] = 0;
    passed[c] = 0;
    blocked[c] = false;
    held[c] = false;
    queues[c] = queue;
    replays.clear(c);
  }

  void forget(int c) {
    queues[c] = null;
  }

  ContextQueue queue(int c) {
    return queues[c];
  }

  long submitted(int c) {
    return submitted[c];
  }

  /** All points up to {@code newest} are there; {@link #changed} follows. */
  void submit(int c, long newest) {
    submitted[c] = newest;
  }

  /** Whether nothing is pending, replays apart. */
  boolean isEmpty(int c) {
    return passed[c] == submitted[c];
  }

  /** The point that is pending first. */
  long head(int c) {
    return passed[c] + 1;
  }

  Replays replays() {
    return replays;
  }

  /** Contexts whose head waits for points. */
  ContextSet waiting() {
    return waiting;
  }

  /** Takes the point that starts next; there must be one. */
  long take(int c) {
    return replays.count(c) > 0 ? replays.take(c) : ++passed[c];
  }

  /** Puts back what {@link #take} gave last; what it waited for is over. */
  void putBack(int c, long point) {
    if (!replays.putBack(c, point)) {
      passed[c] = point - 1;
    }
    blocked[c] = false;
    waiting.remove(c);
    ready(c);
  }

  /** What the head waits for is over. */
  void release(int c) {
    if (blocked[c]) {
      blocked[c] = false;
      waiting.remove(c);
      ready(c);
    }
  }

  void hold(int c, boolean now) {
    held[c] = now;
    changed(c);
  }

  boolean isHeld(int c) {
    return held[c];
  }

  /** What may start next has changed. */
  void changed(int c) {
    while (passed[c] < submitted[c] && ended.has(c, passed[c] + 1)) {
      passed[c]++;
    }
    blocked[c] = false;
    waiting.remove(c);
    if (replays.count(c) > 0) {
      ready(c);
    } else if (isEmpty(c)) {
      scheduler.idle(c, priority[c]);
    } else if (queues[c].hasWaits(head(c))) {
      blocked[c] = true;
      waiting.add(c);
      scheduler.idle(c, priority[c]);
    } else {
      ready(c);
    }
  }

  private void ready(int c) {
    if (held[c]) {
      scheduler.idle(c, priority[c]);
    } else {
      scheduler.ready(c, priority[c]);
    }
  }
}
