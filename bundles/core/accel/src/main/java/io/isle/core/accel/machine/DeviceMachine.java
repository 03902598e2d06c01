package io.isle.core.accel.machine;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.core.accel.estimate.ContextEstimates;
import io.isle.core.accel.queue.ContextQueue;

/**
 * The dispatch of one device as a state machine: no thread, clock or I/O, fixed storage in a
 * structure of arrays. Contexts are small indices; a submission is a context and a point; one in
 * flight has an index and a tag (generation, index) that is used once.
 *
 * <p>Inside a context submissions start in order. They may complete in any order, but points end in
 * order: {@link PointEndings#prefix} moves on when all before have ended. Each point that was
 * submitted is recorded exactly once. A recovery of the device ends work ({@link #onFail}) but no
 * context.
 */
public final class DeviceMachine {
  private static final int PAUSED = 1;
  private static final int RESETTING = 2;

  private final DeviceScheduler scheduler;
  private final Admissions admissions;
  private final PointEndings endings;
  private final PendingWork pending;
  private final ContextSet open;

  /** Those of the open ones that start nothing more. */
  private final ContextSet closing;

  private final InFlightTable inFlight;
  private final Departures departures;
  private final AnswerCharges charges;
  private final Delays delays;

  /** Why nothing starts; 0 when work may. */
  private int stopped;

  private long time;

  /**
   * @param contexts most contexts at a time
   * @param maxInFlight most submissions on the device at a time
   */
  public DeviceMachine(int contexts, int maxInFlight, DeviceScheduler scheduler) {
    this.scheduler = scheduler;
    admissions = new Admissions(contexts);
    endings = new PointEndings(contexts);
    pending = new PendingWork(contexts, scheduler, endings);
    open = new ContextSet(contexts);
    closing = new ContextSet(contexts);
    inFlight = new InFlightTable(contexts, maxInFlight);
    charges = new AnswerCharges(contexts);
    departures = new Departures(scheduler, endings, pending, inFlight, closing, charges, contexts);
    delays = new Delays(contexts);
  }

  /**
   * A context comes.
   *
   * @param stamp of the submissions that it makes before its first recovery
   */
  public void onOpen(int c, SchedulingSpec spec, int stamp, ContextQueue queue) {
    closing.remove(c);
    admissions.since(c, stamp, false);
    endings.open(c, queue, spec.priority() == Priority.REALTIME);
    scheduler.open(c, spec);
    pending.open(c);
    departures.open(c);
    open.add(c);
  }

  /** All points up to {@code newest} were submitted; returns how many of them are new. */
  public int onSubmit(int c, long newest) {
    long before = pending.submitted(c);
    int count = (int) (newest - before);
    if (count > 0) {
      boolean empty = pending.isEmpty(c);
      pending.submit(c, newest);
      for (long point = before + 1; point <= newest; point++) {
        queue(c).waits.queued(point, time);
        if (closing.has(c)) {
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
  public void onPoint(int c) {
    pending.release(c);
  }

  /** The time is {@code now}; before the first of the calls that happen then. */
  public void at(long now) {
    time = now;
    scheduler.at(now);
    departures.at(now);
  }

  /** No new work starts: what is not in flight ends with {@code code}, what is goes on. */
  public void onClose(int c, int code) {
    closing.add(c);
    pending.endAll(c, code);
  }

  /** Forgets a context of which nothing is pending or in flight. */
  public void onForget(int c) {
    closing.remove(c);
    delays.remove(c);
    scheduler.close(c);
    endings.close(c);
    open.remove(c);
  }

  /** While paused nothing starts; submissions are taken. */
  public void onPause(boolean now) {
    stopped = now ? stopped | PAUSED : stopped & ~PAUSED;
  }

  /** While the device is being reset nothing starts either: the reset would take it. */
  public void onReset(boolean now) {
    stopped = now ? stopped | RESETTING : stopped & ~RESETTING;
  }

  /**
   * The device is gone, with nothing of the context in flight any more. Submissions with an older
   * stamp than {@code stamp} that come from now on end with EINTR.
   *
   * @param keep what has not started stays pending
   * @param allowLate take submissions with an old stamp as well
   */
  public void onFail(int c, int stamp, boolean keep, boolean allowLate) {
    admissions.since(c, stamp, allowLate);
    departures.onProgressLost(c);
    delays.remove(c);
    if (!keep && open.has(c) && !closing.has(c)) {
      pending.endNew(c, -Errno.EINTR);
    }
    pending.releaseHolds(c);
  }

  /** Contents of the context's memory are lost: what was admitted before and comes late ends. */
  public void onLoss(int c, int stamp) {
    admissions.since(c, stamp, false);
  }

  /**
   * While held, nothing of the context starts; its submissions are taken. Each hold is released by
   * itself, or all by {@link #onFail}.
   */
  public void onHold(int c, boolean now) {
    pending.hold(c, now);
  }

  /** Nothing of the context starts before {@code until}, so that it pays back what it overran. */
  public void onOverrun(int c, long until) {
    if (delays.add(c, until)) {
      pending.hold(c, true);
    }
  }

  /** The time is {@code now}: delays that are over end. */
  public void endDelays(long now) {
    for (int c = delays.takeDue(now); c >= 0; c = delays.takeDue(now)) {
      pending.hold(c, false);
    }
  }

  /** When the first delay is over; {@link Long#MAX_VALUE} if there is none. */
  public long nextDelayEnd() {
    return delays.next();
  }

  /** Whether {@link #next} would find one. */
  public boolean hasReady(long now) {
    return hasRoom() && scheduler.next(now) >= 0;
  }

  /** Whether something may start, if there is something. */
  public boolean hasRoom() {
    return stopped == 0 && !inFlight.isFull();
  }

  /** Takes the next submission to start; returns its in-flight index, -1 if there is none. */
  public int next(long now) {
    if (!hasRoom()) {
      return -1;
    }
    int c = scheduler.next(now);
    if (c < 0) {
      return -1;
    }
    boolean replay = pending.startsReplay(c);
    int index = inFlight.add(c, pending.take(c), replay);
    scheduler.started(index, c, now, charge(index, c));
    queue(c).log.setRunning(inFlight.running(c));
    pending.changed(c);
    return index;
  }

  /** What a submission that starts is charged in advance. */
  private long charge(int index, int c) {
    ContextEstimates estimates = queue(c).estimates;
    long answer = estimates.answerNs(inFlight.point(index));
    long charge = charges.charge(c, answer, departures.chargedNs(index));
    estimates.started(charge);
    return charge;
  }

  /** What answers of models come to. */
  public AnswerCharges charges() {
    return charges;
  }

  /** Ends a point that has not started, out of turn. */
  public void onRefuse(int c, long point, int code) {
    pending.refuse(c, point, code);
  }

  public InFlightTable inFlight() {
    return inFlight;
  }

  /** How what is in flight leaves the device. */
  public Departures departures() {
    return departures;
  }

  /** What has not started. */
  public PendingWork pending() {
    return pending;
  }

  /** How points ended. */
  public PointEndings endings() {
    return endings;
  }

  public ContextQueue queue(int c) {
    return endings.queue(c);
  }

  /** Contexts that are not free. */
  public ContextSet contexts() {
    return open;
  }
}
