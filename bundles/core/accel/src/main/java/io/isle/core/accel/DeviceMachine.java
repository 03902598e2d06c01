package io.isle.core.accel;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;

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

  private final DeviceScheduler scheduler;
  private final byte[] state;
  private final Admissions admissions;
  private final PointEndings endings;
  private final PendingWork pending;
  private final ContextSet open;
  private final InFlightTable inFlight;
  private final Progress progress;
  private final Delays delays;

  /** Why nothing starts; 0 when work may. */
  private int stopped;

  private long time;

  /** Contexts of which work came back while more of it was in flight. */
  private int gathering;

  /**
   * @param contexts most contexts at a time
   * @param maxInFlight most submissions on the device at a time
   */
  DeviceMachine(int contexts, int maxInFlight, DeviceScheduler scheduler) {
    this.scheduler = scheduler;
    state = new byte[contexts];
    admissions = new Admissions(contexts);
    endings = new PointEndings(contexts);
    pending = new PendingWork(contexts, scheduler, endings);
    open = new ContextSet(contexts);
    inFlight = new InFlightTable(contexts, maxInFlight);
    progress = new Progress(contexts);
    delays = new Delays(contexts);
  }

  /**
   * A context comes.
   *
   * @param stamp of the submissions that it makes before its first recovery
   */
  void onOpen(int c, SchedulingSpec spec, int stamp, ContextQueue queue) {
    state[c] = OPEN;
    admissions.since(c, stamp, false);
    endings.open(c, queue, spec.priority() == Priority.REALTIME);
    scheduler.open(c, spec);
    pending.open(c);
    progress.clear(c);
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
        queue(c).setQueued(point, time);
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

  /** The time is {@code now}; before the first of the calls that happen then. */
  void at(long now) {
    time = now;
    scheduler.at(now);
  }

  /** No new work starts: what is not in flight ends with {@code code}, what is goes on. */
  void onClose(int c, int code) {
    state[c] = CLOSING;
    pending.endAll(c, code);
  }

  /** Forgets a context of which nothing is pending or in flight. */
  void onForget(int c) {
    state[c] = FREE;
    delays.remove(c);
    scheduler.close(c);
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
    onProgressLost(c);
    delays.remove(c);
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

  /**
   * The device does not know any more how far a submission had come that it gave back: it starts
   * over if it is replayable, else it ends with EINTR.
   */
  void onProgressLost(int c) {
    long point = progress.point(c);
    if (point == 0 || !pending.restarts().has(c, point)) {
      return;
    }
    progress.clear(c);
    boolean ignored = pending.restarts().remove(c, point);
    if (state[c] == OPEN && queue(c).takeReplay(point)) {
      endings.forgetBusy(c, point);
      pending.replay(c, point);
    } else {
      endings.record(c, point, -Errno.EINTR);
      pending.changed(c);
    }
  }

  /** Nothing of the context starts before {@code until}, so that it pays back what it overran. */
  void onOverrun(int c, long until) {
    if (delays.add(c, until)) {
      pending.hold(c, true);
    }
  }

  /** The time is {@code now}: delays that are over end. */
  void endDelays(long now) {
    for (int c = delays.takeDue(now); c >= 0; c = delays.takeDue(now)) {
      pending.hold(c, false);
    }
  }

  /** When the first delay is over; {@link Long#MAX_VALUE} if there is none. */
  long nextDelayEnd() {
    return delays.next();
  }

  /** Whether {@link #next} would find one. */
  boolean hasReady(long now) {
    return hasRoom() && scheduler.next(now) >= 0;
  }

  /** Whether something may start, if there is something. */
  boolean hasRoom() {
    return stopped == 0 && !inFlight.isFull();
  }

  /** Takes the next submission to start; returns its in-flight index, -1 if there is none. */
  int next(long now) {
    if (!hasRoom()) {
      return -1;
    }
    int c = scheduler.next(now);
    if (c < 0) {
      return -1;
    }
    boolean replay = pending.startsReplay(c);
    int index = inFlight.add(c, pending.take(c), replay);
    scheduler.started(index, c, now);
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
    scheduler.abandoned(index, c);
  }

  /**
   * A submission in flight has ended.
   *
   * @param code 0 or a negated code
   * @return 0, or -ESTALE when no such submission is in flight
   */
  int onComplete(
      long tag,
      int code,
      CompletionStatus outcome,
      long startNs,
      long endNs,
      long busyNs,
      int detail,
      long now) {
    int index = inFlight.find(tag);
    if (index < 0) {
      return -Errno.ESTALE;
    }
    int c = inFlight.context(index);
    if (c < 0) {
      inFlight.remove(index);
      return 0;
    }
    long point = inFlight.point(index);
    endings.record(c, point, code, outcome, startNs, endNs, busyNs, detail);
    forgetProgress(index, c);
    ContextQueue queue = queue(c);
    long beganNs = queue.log.startNs(point);
    if (beganNs != 0) {
      queue.waits.record(beganNs - queue.queuedNs(point));
    }
    end(index, c, busyNs, queue.elapsed(startNs, endNs), now);
    return 0;
  }

  private void end(int index, int c, long busyNs, long elapsedNs, long now) {
    CompletionLog log = queue(c).log;
    leave(index, c, false);
    log.charged(scheduler.ended(index, c, busyNs, elapsedNs, now));
    log.throttled(scheduler.throttledNs(c));
  }

  /**
   * The context was asked to leave the device: until all that it has in flight has ended or come
   * back, nothing more of it starts, which might come before that.
   */
  void onAsked(int c) {
    inFlight.askAll(c);
    gathering += pending.rest(c) ? 0 : 1;
  }

  /**
   * The device was asked for a submission in flight and gave it back half done: the context's next
   * one, once all that it has in flight has ended or come back too, goes on where it stopped.
   */
  void onPreempted(int index, long startNs, long endNs, long busyNs, long now) {
    int c = inFlight.context(index);
    if (c < 0) {
      inFlight.remove(index);
      return;
    }
    long point = inFlight.point(index);
    progress.add(c, point, endNs - startNs);
    endings.addBusy(c, point, startNs, endNs, busyNs);
    gathering += pending.giveBack(c, point, inFlight.isReplay(index)) ? 0 : 1;
    end(index, c, busyNs, queue(c).elapsed(startNs, endNs), now);
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
    if (begun) {
      forgetProgress(index, c);
    }
    leave(index, c, false);
    scheduler.abandoned(index, c);
    return true;
  }

  /**
   * Ends a submission in flight before the device did. One that was over its limit is charged with
   * the time until now.
   *
   * @param completionComing whether a completion of it is already on its way; then its index stays
   *     taken until {@link #onComplete}
   */
  void onAbandon(int index, int code, boolean completionComing) {
    int c = inFlight.context(index);
    boolean over = inFlight.endCode(index) == -Errno.ETIMEDOUT;
    endings.record(c, inFlight.point(index), code);
    forgetProgress(index, c);
    leave(index, c, completionComing);
    if (over) {
      queue(c).log.charged(scheduler.cut(index, c, time));
    } else {
      scheduler.abandoned(index, c);
    }
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
    forgetProgress(index, c);
    leave(index, c, completionComing);
    scheduler.abandoned(index, c);
    return true;
  }

  private void forgetProgress(int index, int c) {
    if (isHalfDone(index)) {
      progress.clear(c);
      endings.forgetBusy(c, inFlight.point(index));
    }
  }

  /** Ends a point that has not started, out of turn. */
  void onRefuse(int c, long point, int code) {
    pending.refuse(c, point, code);
  }

  /**
   * The scheduler hears of it afterwards: work that comes back is ready again while it still counts
   * as in flight, so that its context has not rested in between.
   */
  private void leave(int index, int c, boolean completionComing) {
    if (completionComing) {
      inFlight.detach(index);
    } else {
      inFlight.remove(index);
    }
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

  /** Whether the device gave a submission in flight back half done, and has it again. */
  boolean isHalfDone(int index) {
    return progress.point(inFlight.context(index)) == inFlight.point(index);
  }

  /** How long a submission in flight had run before, as the device gave it back half done. */
  long ranNs(int index) {
    return isHalfDone(index) ? progress.ranNs(inFlight.context(index)) : 0;
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
