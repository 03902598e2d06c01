package io.isle.core.accel;

import io.isle.api.base.Errno;

/**
 * The dispatch of one device as a state machine: no thread, clock or I/O, fixed storage in a
 * structure of arrays. Contexts are small indices; a submission is a context and a point; one in
 * flight has an index and a tag (generation, index) that is used once.
 *
 * <p>Inside a context submissions start in order. They may complete in any order, but points end in
 * order: {@link #ended} moves on when all before have ended. Each point that was submitted is
 * recorded exactly once.
 */
final class DeviceMachine {
  private static final byte FREE = 0;
  private static final byte OPEN = 1;
  private static final byte CLOSING = 2;

  private final Scheduler scheduler;

  private final byte[] state;
  private final int[] priority;
  private final long[] submitted;
  private final long[] dispatched;
  private final int[] running;
  private final boolean[] blocked;
  private final ContextQueue[] queues;
  private final EndedPoints ended;
  private final ContextSet open;
  private final ContextSet touched;
  private final ContextSet waiting;

  private final InFlightTable inFlight;

  /**
   * @param contexts most contexts at a time
   * @param maxInFlight most submissions on the device at a time
   */
  DeviceMachine(int contexts, int maxInFlight, Scheduler scheduler) {
    this.scheduler = scheduler;
    state = new byte[contexts];
    priority = new int[contexts];
    submitted = new long[contexts];
    dispatched = new long[contexts];
    running = new int[contexts];
    blocked = new boolean[contexts];
    queues = new ContextQueue[contexts];
    ended = new EndedPoints(contexts);
    open = new ContextSet(contexts);
    touched = new ContextSet(contexts);
    waiting = new ContextSet(contexts);
    inFlight = new InFlightTable(maxInFlight);
  }

  void onOpen(int c, int contextPriority, ContextQueue queue) {
    state[c] = OPEN;
    priority[c] = contextPriority;
    submitted[c] = 0;
    dispatched[c] = 0;
    running[c] = 0;
    blocked[c] = false;
    queues[c] = queue;
    ended.open(c, queue.depth());
    open.add(c);
  }

  /** All points up to {@code newest} were submitted; returns how many of them are new. */
  int onSubmit(int c, long newest) {
    int count = (int) (newest - submitted[c]);
    if (count > 0) {
      boolean idle = submitted[c] == dispatched[c];
      submitted[c] = newest;
      if (state[c] == CLOSING) {
        endPending(c, -Errno.ECLOSED);
      } else if (idle) {
        headChanged(c);
      }
    }
    return count;
  }

  /** What the context's next submission waits for is over. */
  void onPoint(int c) {
    if (blocked[c]) {
      blocked[c] = false;
      waiting.remove(c);
      scheduler.ready(c, priority[c]);
    }
  }

  /** No new work starts: pending submissions end with {@code code}, those in flight go on. */
  void onClose(int c, int code) {
    state[c] = CLOSING;
    endPending(c, code);
  }

  /** Forgets a context of which nothing is pending or in flight. */
  void onForget(int c) {
    state[c] = FREE;
    queues[c] = null;
    ended.close(c);
    open.remove(c);
    touched.remove(c);
  }

  /** Whether {@link #next} would find one, as far as the machine knows. */
  boolean hasReady() {
    return !inFlight.isFull() && scheduler.hasReady();
  }

  /** Takes the next submission to start; returns its in-flight index, -1 if there is none. */
  int next(long now) {
    if (inFlight.isFull()) {
      return -1;
    }
    int c = scheduler.next(now);
    if (c < 0) {
      return -1;
    }
    int index = inFlight.add(c, ++dispatched[c]);
    setRunning(c, running[c] + 1);
    headChanged(c);
    return index;
  }

  /** The device could not take it yet: it will be the context's next one again. */
  void onRejected(int index) {
    int c = inFlight.context(index);
    setRunning(c, running[c] - 1);
    dispatched[c]--;
    inFlight.remove(index);
    if (state[c] == OPEN) {
      blocked[c] = false;
      waiting.remove(c);
      scheduler.ready(c, priority[c]);
    } else {
      endPending(c, -Errno.ECLOSED);
    }
  }

  /**
   * A submission in flight has ended.
   *
   * @param code 0 or a negated code
   * @return 0, or -ESTALE when no such submission is in flight
   */
  int onComplete(long tag, int code, long startNs, long endNs, long busyNs, int detail, long now) {
    int index = inFlight.find(tag);
    if (index < 0) {
      return -Errno.ESTALE;
    }
    int c = inFlight.context(index);
    if (c >= 0) {
      setRunning(c, running[c] - 1);
      record(c, inFlight.point(index), code, startNs, endNs, busyNs, detail);
      scheduler.charge(c, busyNs, now);
    }
    inFlight.remove(index);
    return 0;
  }

  /**
   * Ends a submission in flight before the device did.
   *
   * @param completionComing whether a completion of it is already on its way; then its index stays
   *     taken until {@link #onComplete}
   */
  void onAbandon(int index, int code, boolean completionComing) {
    int c = inFlight.context(index);
    setRunning(c, running[c] - 1);
    record(c, inFlight.point(index), code, 0, 0, 0, 0);
    if (completionComing) {
      inFlight.detach(index);
    } else {
      inFlight.remove(index);
    }
  }

  private void headChanged(int c) {
    if (submitted[c] == dispatched[c]) {
      scheduler.idle(c, priority[c]);
    } else if (queues[c].hasWaits(dispatched[c] + 1)) {
      blocked[c] = true;
      waiting.add(c);
      scheduler.idle(c, priority[c]);
    } else {
      scheduler.ready(c, priority[c]);
    }
  }

  private void endPending(int c, int code) {
    while (dispatched[c] < submitted[c]) {
      record(c, ++dispatched[c], code, 0, 0, 0, 0);
    }
    blocked[c] = false;
    waiting.remove(c);
    scheduler.idle(c, priority[c]);
  }

  private void record(int c, long p, int code, long start, long end, long busy, int detail) {
    queues[c].log.record(p, code, start, end, busy, detail);
    ended.end(c, p);
    touched.add(c);
  }

  private void setRunning(int c, int count) {
    running[c] = count;
    queues[c].log.setRunning(count);
  }

  InFlightTable inFlight() {
    return inFlight;
  }

  int running(int c) {
    return running[c];
  }

  long ended(int c) {
    return ended.prefix(c);
  }

  /** The point that the context starts next. */
  long head(int c) {
    return dispatched[c] + 1;
  }

  ContextQueue queue(int c) {
    return queues[c];
  }

  /** Contexts that are not free. */
  ContextSet contexts() {
    return open;
  }

  /** Contexts of which submissions ended since the caller last cleared the set. */
  ContextSet touched() {
    return touched;
  }

  /** Contexts whose next submission waits for points. */
  ContextSet waiting() {
    return waiting;
  }
}
