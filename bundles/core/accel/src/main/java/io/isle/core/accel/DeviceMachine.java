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
  private final int[] running;

  /**
   * Oldest stamp of submissions that count; an older one was admitted before contents were lost.
   */
  private final int[] generation;

  /** Whether submissions with an old stamp count as well. */
  private final boolean[] lateAllowed;

  private final EndedPoints ended;
  private final PendingWork pending;
  private final ContextSet open;
  private final ContextSet touched;
  private final InFlightTable inFlight;
  private boolean paused;

  /**
   * @param contexts most contexts at a time
   * @param maxInFlight most submissions on the device at a time
   */
  DeviceMachine(int contexts, int maxInFlight, Scheduler scheduler) {
    this.scheduler = scheduler;
    state = new byte[contexts];
    running = new int[contexts];
    generation = new int[contexts];
    lateAllowed = new boolean[contexts];
    ended = new EndedPoints(contexts);
    pending = new PendingWork(contexts, scheduler, ended);
    open = new ContextSet(contexts);
    touched = new ContextSet(contexts);
    inFlight = new InFlightTable(maxInFlight);
  }

  /**
   * A context comes.
   *
   * @param stamp of the submissions that it makes before its first recovery
   */
  void onOpen(int c, int priority, int stamp, ContextQueue queue) {
    state[c] = OPEN;
    running[c] = 0;
    generation[c] = stamp;
    lateAllowed[c] = false;
    ended.open(c, queue.depth());
    pending.open(c, priority, queue);
    open.add(c);
  }

  /** All points up to {@code newest} were submitted; returns how many of them are new. */
  int onSubmit(int c, long newest) {
    long before = pending.submitted(c);
    int count = (int) (newest - before);
    if (count > 0) {
      boolean empty = pending.isEmpty(c);
      pending.submit(c, newest);
      for (long point = before + 1; point <= newest; point++) {
        if (state[c] == CLOSING) {
          end(c, point, -Errno.ECLOSED);
        } else if (queue(c).stamp(point) - generation[c] < 0 && !lateAllowed[c]) {
          end(c, point, -Errno.EINTR);
        }
      }
      if (empty) {
        pending.changed(c);
      }
    }
    return count;
  }

  /** What the context's next submission waits for is over. */
  void onPoint(int c) {
    pending.release(c);
  }

  /** No new work starts: what is not in flight ends with {@code code}, what is goes on. */
  void onClose(int c, int code) {
    state[c] = CLOSING;
    endWaiting(c, code);
  }

  /** Forgets a context of which nothing is pending or in flight. */
  void onForget(int c) {
    state[c] = FREE;
    pending.forget(c);
    ended.close(c);
    open.remove(c);
    touched.remove(c);
  }

  /** While paused nothing starts; submissions are taken. */
  void onPause(boolean now) {
    paused = now;
  }

  /**
   * The device is gone, with nothing of the context in flight any more. Submissions with an older
   * stamp than {@code stamp} that come from now on end with EINTR.
   *
   * @param keep what has not started stays pending
   * @param allowLate take submissions with an old stamp as well
   */
  void onFail(int c, int stamp, boolean keep, boolean allowLate) {
    generation[c] = stamp;
    lateAllowed[c] = allowLate;
    if (!keep && state[c] == OPEN) {
      endPending(c, -Errno.EINTR);
    }
    pending.hold(c, false);
  }

  /** Contents of the context's memory are lost: what was admitted before and comes late ends. */
  void onLoss(int c, int stamp) {
    generation[c] = stamp;
    lateAllowed[c] = false;
  }

  /** While held, nothing of the context starts; its submissions are taken. */
  void onHold(int c, boolean now) {
    pending.hold(c, now);
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
    int index = inFlight.add(c, pending.take(c));
    setRunning(c, running[c] + 1);
    pending.changed(c);
    return index;
  }

  /** The device could not take it yet: it will be the context's next one again. */
  void onRejected(int index) {
    int c = inFlight.context(index);
    long point = inFlight.point(index);
    setRunning(c, running[c] - 1);
    inFlight.remove(index);
    pending.putBack(c, point);
    if (state[c] != OPEN) {
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
    if (state[c] != OPEN || !queue(c).takeReplay(point)) {
      return false;
    }
    leave(index, c, completionComing);
    pending.replays().add(c, point);
    pending.changed(c);
    return true;
  }

  /** Ends a point that has not started, out of turn. */
  void onRefuse(int c, long point, int code) {
    boolean ignored = pending.replays().remove(c, point);
    end(c, point, code);
    pending.changed(c);
  }

  private void leave(int index, int c, boolean completionComing) {
    setRunning(c, running[c] - 1);
    if (completionComing) {
      inFlight.detach(index);
    } else {
      inFlight.remove(index);
    }
  }

  /** Ends what is pending or to be replayed. */
  private void endWaiting(int c, int code) {
    while (pending.replays().count(c) > 0) {
      end(c, pending.take(c), code);
    }
    endPending(c, code);
    pending.changed(c);
  }

  private void endPending(int c, int code) {
    for (long point = pending.head(c); point <= pending.submitted(c); point++) {
      end(c, point, code);
    }
  }

  private void end(int c, long point, int code) {
    if (!ended.has(c, point)) {
      record(c, point, code, 0, 0, 0, 0);
    }
  }

  private void record(int c, long p, int code, long start, long end, long busy, int detail) {
    queue(c).log.record(p, code, start, end, busy, detail);
    ended.end(c, p);
    touched.add(c);
  }

  private void setRunning(int c, int count) {
    running[c] = count;
    queue(c).log.setRunning(count);
  }

  InFlightTable inFlight() {
    return inFlight;
  }

  /** What has not started. */
  PendingWork pending() {
    return pending;
  }

  int running(int c) {
    return running[c];
  }

  long ended(int c) {
    return ended.prefix(c);
  }

  boolean hasEnded(int c, long point) {
    return ended.has(c, point);
  }

  ContextQueue queue(int c) {
    return pending.queue(c);
  }

  /** Contexts that are not free. */
  ContextSet contexts() {
    return open;
  }

  /** Contexts of which submissions ended since the caller last cleared the set. */
  ContextSet touched() {
    return touched;
  }
}
