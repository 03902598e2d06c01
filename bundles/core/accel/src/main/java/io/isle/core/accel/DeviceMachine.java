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

  private static final int PAUSED = 1;
  private static final int RESETTING = 2;

  private final Scheduler scheduler;
  private final byte[] state;
  private final Admissions admissions;
  private final PointEndings endings;
  private final PendingWork pending;
  private final ContextSet open;
  private final InFlightTable inFlight;

  /** Why nothing starts; 0 when work may. */
  private int stopped;

  /** Contexts of which work came back while more of it was in flight. */
  private int gathering;

  /**
   * @param contexts most contexts at a time
   * @param maxInFlight most submissions on the device at a time
   */
  DeviceMachine(int contexts, int maxInFlight, Scheduler scheduler) {
    this.scheduler = scheduler;
    state = new byte[contexts];
    admissions = new Admissions(contexts);
    endings = new PointEndings(contexts);
    pending = new PendingWork(contexts, scheduler, endings);
    open = new ContextSet(contexts);
    inFlight = new InFlightTable(contexts, maxInFlight);
  }

  /**
   * A context comes.
   *
   * @param stamp of the submissions that it makes before its first recovery
   */
  void onOpen(int c, int priority, int stamp, ContextQueue queue) {
    state[c] = OPEN;
    admissions.since(c, stamp, false);
    endings.open(c, queue);
    pending.open(c, priority);
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
          endings.record(c, point, -Errno.ECLOSED);
        } else if (!admissions.counts(c, queue(c).stamp(point))) {
          endings.record(c, point, -Errno.EINTR);
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
    pending.endAll(c, code);
  }

  /** Forgets a context of which nothing is pending or in flight. */
  void onForget(int c) {
    state[c] = FREE;
    endings.close(c);
    open.remove(c);
  }

  /** While paused nothing starts; submissions are taken. */
  void onPause(boolean now) {
    stopped = now ? stopped | PAUSED : stopped & ~PAUSED;
  }

  /** While the device is being reset nothing starts either: the reset would take it. */
  void onReset(boolean now) {
    stopped = now ? stopped | RESETTING : stopped & ~RESETTING;
  }

  /**
   * The device is gone, with nothing of the context in flight any more. Submissions with an older
   * stamp than {@code stamp} that come from now on end with EINTR.
   *
   * @param keep what has not started stays pending
   * @param allowLate take submissions with an old stamp as well
   */
  void onFail(int c, int stamp, boolean keep, boolean allowLate) {
    admissions.since(c, stamp, allowLate);
    if (!keep && state[c] == OPEN) {
      pending.endNew(c, -Errno.EINTR);
    }
    pending.releaseHolds(c);
  }

  /** Contents of the context's memory are lost: what was admitted before and comes late ends. */
  void onLoss(int c, int stamp) {
    admissions.since(c, stamp, false);
  }

  /**
   * While held, nothing of the context starts; its submissions are taken. Each hold is released by
   * itself, or all by {@link #onFail}.
   */
  void onHold(int c, boolean now) {
    pending.hold(c, now);
  }

  /** Whether {@link #next} would find one, as far as the machine knows. */
  boolean hasReady() {
    return stopped == 0 && !inFlight.isFull() && scheduler.hasReady();
  }

  /** Takes the next submission to start; returns its in-flight index, -1 if there is none. */
  int next(long now) {
    if (stopped != 0 || inFlight.isFull()) {
      return -1;
    }
    int c = scheduler.next(now);
    if (c < 0) {
      return -1;
    }
    boolean replay = pending.startsReplay(c);
    int index = inFlight.add(c, pending.take(c), replay);
    scheduler.started(c);
    queue(c).log.setRunning(inFlight.running(c));
    pending.changed(c);
    return index;
  }

  /** The device could not take it yet: it will be the context's next one again. */
  void onRejected(int index) {
    int c = inFlight.context(index);
    long point = inFlight.point(index);
    leave(index, c, false);
    pending.putBack(c, point);
    if (state[c] != OPEN) {
      pending.endAll(c, -Errno.ECLOSED);
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
    if (c < 0) {
      inFlight.remove(index);
      return 0;
    }
    endings.record(c, inFlight.point(index), code, startNs, endNs, busyNs, detail);
    scheduler.charge(c, busyNs, now);
    leave(index, c, false);
    return 0;
  }

  /**
   * The device gave a submission in flight back. It starts again in its turn, once all that its
   * context has in flight has ended or come back too.
   *
   * @param begun it had begun: then it starts again only if it is replayable, and only once
   * @return false, and nothing is done, when it may not
   */
  boolean onReturn(int index, boolean begun) {
    int c = inFlight.context(index);
    if (c < 0 || begun && (state[c] != OPEN || !queue(c).takeReplay(inFlight.point(index)))) {
      return false;
    }
    boolean replay = begun || inFlight.isReplay(index);
    gathering += pending.giveBack(c, inFlight.point(index), replay) ? 0 : 1;
    leave(index, c, false);
    return true;
  }

  /**
   * Ends a submission in flight before the device did.
   *
   * @param completionComing whether a completion of it is already on its way; then its index stays
   *     taken until {@link #onComplete}
   */
  void onAbandon(int index, int code, boolean completionComing) {
    int c = inFlight.context(index);
    endings.record(c, inFlight.point(index), code);
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
    pending.replay(c, point);
    leave(index, c, completionComing);
    return true;
  }

  /** Ends a point that has not started, out of turn. */
  void onRefuse(int c, long point, int code) {
    pending.refuse(c, point, code);
  }

  private void leave(int index, int c, boolean completionComing) {
    if (completionComing) {
      inFlight.detach(index);
    } else {
      inFlight.remove(index);
    }
    scheduler.left(c);
    queue(c).log.setRunning(inFlight.running(c));
    if (gathering > 0 && inFlight.running(c) == 0) {
      gather(c);
    }
  }

  /** Nothing of the context is in flight any more: what came back starts in its turn. */
  private void gather(int c) {
    if (pending.gather(c)) {
      gathering--;
      if (state[c] != OPEN) {
        pending.endAll(c, -Errno.ECLOSED);
      }
    }
  }

  InFlightTable inFlight() {
    return inFlight;
  }

  /** What has not started. */
  PendingWork pending() {
    return pending;
  }

  /** How points ended. */
  PointEndings endings() {
    return endings;
  }

  ContextQueue queue(int c) {
    return endings.queue(c);
  }

  /** Contexts that are not free. */
  ContextSet contexts() {
    return open;
  }
}
