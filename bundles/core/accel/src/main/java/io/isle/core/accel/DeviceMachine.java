package io.isle.core.accel;

import io.isle.api.base.Errno;

/**
 * The dispatch of one device as a state machine: no thread, clock or I/O, fixed storage in a
 * structure of arrays. Contexts are small indices; a submission is a context and a point; one in
 * flight has an index and a tag (generation, index) that is used once.
 *
 * <p>Inside a context submissions start in order. They may complete in any order, but points end in
 * order: {@link #ended} moves on when all before have ended. Each point that was submitted is
 * recorded exactly once. A recovery of the device ends work ({@link #onFail}) but no context.
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

  /** Stamp of the submissions that count; one with another was admitted before a recovery. */
  private final int[] generation;

  /** Whether submissions with an old stamp count as well. */
  private final boolean[] lateAllowed;

  /** Whether nothing of the context may start for now. */
  private final boolean[] held;

  private final ContextQueue[] queues;
  private final EndedPoints ended;
  private final Replays replays;
  private final ContextSet open;
  private final ContextSet touched;
  private final ContextSet waiting;

  private final InFlightTable inFlight;
  private boolean paused;

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
    generation = new int[contexts];
    lateAllowed = new boolean[contexts];
    held = new boolean[contexts];
    queues = new ContextQueue[contexts];
    ended = new EndedPoints(contexts);
    replays = new Replays(contexts);
    open = new ContextSet(contexts);
    touched = new ContextSet(contexts);
    waiting = new ContextSet(contexts);
    inFlight = new InFlightTable(maxInFlight);
  }

  /**
   * A context comes.
   *
   * @param stamp of the submissions that it makes before its first recovery
   */
  void onOpen(int c, int contextPriority, int stamp, ContextQueue queue) {
    state[c] = OPEN;
    priority[c] = contextPriority;
    submitted[c] = 0;
    dispatched[c] = 0;
    running[c] = 0;
    blocked[c] = false;
    held[c] = false;
    generation[c] = stamp;
    lateAllowed[c] = false;
    queues[c] = queue;
    ended.open(c, queue.depth());
    replays.clear(c);
    open.add(c);
  }

  /** All points up to {@code newest} were submitted; returns how many of them are new. */
  int onSubmit(int c, long newest) {
    long before = submitted[c];
    int count = (int) (newest - before);
    if (count > 0) {
      submitted[c] = newest;
      for (long point = before + 1; point <= newest; point++) {
        if (state[c] == CLOSING) {
          end(c, point, -Errno.ECLOSED);
        } else if (queues[c].stamp(point) != generation[c] && !lateAllowed[c]) {
          end(c, point, -Errno.EINTR);
        }
      }
      if (before == dispatched[c]) {
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
      ready(c);
    }
  }

  /** No new work starts: what is not in flight ends with {@code code}, what is goes on. */
  void onClose(int c, int code) {
    state[c] = CLOSING;
    endWaiting(c, code);
  }

  /** Forgets a context of which nothing is pending or in flight. */
  void onForget(int c) {
    state[c] = FREE;
    queues[c] = null;
    ended.close(c);
    open.remove(c);
    touched.remove(c);
  }

  /** While paused nothing starts; submissions are taken. */
  void onPause(boolean now) {
    paused = now;
  }

  /**
   * The device is gone, with nothing of the context in flight any more. Submissions with another
   * stamp than {@code stamp} that come from now on end with EINTR.
   *
   * @param keep what has not started stays pending
   * @param allowLate take submissions with an old stamp as well
   */
  void onFail(int c, int stamp, boolean keep, boolean allowLate) {
    generation[c] = stamp;
    lateAllowed[c] = allowLate;
    held[c] = false;
    if (!keep && state[c] == OPEN) {
      endPending(c, -Errno.EINTR);
    }
    headChanged(c);
  }

  /** While held, nothing of the context starts; its submissions are taken. */
  void onHold(int c, boolean now) {
    held[c] = now;
    headChanged(c);
  }

  /** Whether {@link #next} would find one, as far as the machine knows. */
  boolean hasReady() {
    return !paused && !inFlight.isFull() && scheduler.hasReady();
  }

  /** Takes the next submission to start; returns its in-flight index, -1 if there is none. */
  int next(long now) {
    if (paused || inFlight.isFull()) {
      return -1;
    }
    int c = scheduler.next(now);
    if (c < 0) {
      return -1;
    }
    long point = replays.count(c) > 0 ? replays.take(c) : ++dispatched[c];
    int index = inFlight.add(c, point);
    setRunning(c, running[c] + 1);
    headChanged(c);
    return index;
  }

  /** The device could not take it yet: it will be the context's next one again. */
  void onRejected(int index) {
    int c = inFlight.context(index);
    long point = inFlight.point(index);
    setRunning(c, running[c] - 1);
    inFlight.remove(index);
    if (!replays.putBack(c, point)) {
      dispatched[c] = point - 1;
    }
    if (state[c] == OPEN) {
      blocked[c] = false;
      waiting.remove(c);
      ready(c);
    } else {
      endWaiting(c, -Errno.ECLOSED);
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
    record(c, inFlight.point(index), code, 0, 0, 0, 0);
    leave(index, c, completionComing);
  }

  /**
   * Takes a submission in flight back, to start again before what is pending; once a submission.
   *
   * @param completionComing as for {@link #onAbandon}
   * @return false, and nothing is done, when it may not start again
   */
  boolean onReplay(int index, boolean completionComing) {
    int c = inFlight.context(index);
    long point = inFlight.point(index);
    if (state[c] != OPEN || !queues[c].takeReplay(point)) {
      return false;
    }
    leave(index, c, completionComing);
    replays.add(c, point);
    headChanged(c);
    return true;
  }

  /**
   * The core is about to stop what a context has in flight: unless it succeeds it ends so.
   *
   * @param only a context, -1 for all
   * @return how many
   */
  int stopAll(int only, int code) {
    int count = 0;
    for (int i = 0; i < inFlight.capacity(); i++) {
      int c = inFlight.context(i);
      if (c >= 0 && (only < 0 || only == c)) {
        inFlight.stopWith(i, code);
        count++;
      }
    }
    return count;
  }

  /** Ends a point that has not started, out of turn. */
  void onRefuse(int c, long point, int code) {
    boolean ignored = replays.remove(c, point);
    end(c, point, code);
    headChanged(c);
  }

  private void leave(int index, int c, boolean completionComing) {
    setRunning(c, running[c] - 1);
    if (completionComing) {
      inFlight.detach(index);
    } else {
      inFlight.remove(index);
    }
  }

  private void headChanged(int c) {
    while (dispatched[c] < submitted[c] && ended.has(c, dispatched[c] + 1)) {
      dispatched[c]++;
    }
    blocked[c] = false;
    waiting.remove(c);
    if (replays.count(c) > 0) {
      ready(c);
    } else if (submitted[c] == dispatched[c]) {
      scheduler.idle(c, priority[c]);
    } else if (queues[c].hasWaits(dispatched[c] + 1)) {
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

  /** Ends what is pending or to be replayed. */
  private void endWaiting(int c, int code) {
    while (replays.count(c) > 0) {
      end(c, replays.take(c), code);
    }
    endPending(c, code);
    headChanged(c);
  }

  private void endPending(int c, int code) {
    while (dispatched[c] < submitted[c]) {
      end(c, ++dispatched[c], code);
    }
  }

  private void end(int c, long point, int code) {
    if (!ended.has(c, point)) {
      record(c, point, code, 0, 0, 0, 0);
    }
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

  Replays replays() {
    return replays;
  }

  int running(int c) {
    return running[c];
  }

  long ended(int c) {
    return ended.prefix(c);
  }

  long submitted(int c) {
    return submitted[c];
  }

  /** The point that the context starts next, replays apart. */
  long head(int c) {
    return dispatched[c] + 1;
  }

  boolean isHeld(int c) {
    return held[c];
  }

  ContextQueue queue(int c) {
    return queues[c];
  }

  boolean hasEnded(int c, long point) {
    return ended.has(c, point);
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
