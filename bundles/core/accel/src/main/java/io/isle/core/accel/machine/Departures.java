package io.isle.core.accel.machine;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.base.Errno;
import io.isle.core.accel.estimate.ContextEstimates;
import io.isle.core.accel.queue.CompletionLog;
import io.isle.core.accel.queue.ContextQueue;

/**
 * How submissions in flight leave their device: they end, come back, or are taken off it. Not
 * thread-safe.
 */
public final class Departures {
  private final DeviceScheduler scheduler;
  private final PointEndings endings;
  private final PendingWork pending;
  private final InFlightTable inFlight;
  private final Progress progress;

  /** Contexts whose work that comes back ends. */
  private final ContextSet closing;

  private final AnswerCharges charges;

  /** Contexts of which work came back while more of it was in flight. */
  private int gathering;

  private long time;

  Departures(
      DeviceScheduler scheduler,
      PointEndings endings,
      PendingWork pending,
      InFlightTable inFlight,
      ContextSet closing,
      AnswerCharges charges,
      int contexts) {
    this.scheduler = scheduler;
    this.endings = endings;
    this.pending = pending;
    this.inFlight = inFlight;
    this.closing = closing;
    this.charges = charges;
    progress = new Progress(contexts);
  }

  /** The time is {@code now}. */
  void at(long now) {
    time = now;
  }

  /** A context comes. */
  void open(int c) {
    progress.clear(c);
  }

  /** The device could not take it yet: it will be the context's next one again. */
  public void onRejected(int index) {
    int c = inFlight.context(index);
    long point = inFlight.point(index);
    leave(index, c, false);
    pending.putBack(c, point);
    if (closing.has(c)) {
      pending.endAll(c, -Errno.ECLOSED);
    }
    scheduler.abandoned(index, c);
  }

  /**
   * A submission in flight has ended.
   *
   * @param code 0 or a negated code
   * @param busyNs as the driver tells, which is believed as far as it can be
   * @return 0, or -ESTALE when no such submission is in flight
   */
  public int onComplete(
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
    long busy = scheduler.possible(index, busyNs, now);
    endings.record(c, point, code, outcome, startNs, endNs, busy, detail);
    long before = chargedNs(index);
    forgetProgress(index, c);
    ContextQueue queue = endings.queue(c);
    long beganNs = queue.log.startNs(point);
    if (beganNs != 0) {
      queue.waits.started(point, beganNs);
    }
    long given = end(index, c, busy, endings.elapsed(c, startNs, endNs), now);
    if (code == 0) {
      learn(c, point, before + given);
    }
    return 0;
  }

  /** One has ended well that was charged so much in all. */
  private void learn(int c, long point, long takenNs) {
    ContextEstimates estimates = endings.queue(c).estimates;
    long answer = estimates.answerNs(point);
    if (answer >= 0) {
      charges.ended(c, answer, takenNs);
    }
    estimates.ended(point, answer, takenNs);
  }

  /** Returns what it was charged. */
  private long end(int index, int c, long busyNs, long elapsedNs, long now) {
    CompletionLog log = endings.queue(c).log;
    leave(index, c, false);
    long given = scheduler.ended(index, c, busyNs, elapsedNs, now);
    log.charged(given);
    log.throttled(scheduler.throttledNs(c));
    return given;
  }

  /**
   * The context was asked to leave the device: until all that it has in flight has ended or come
   * back, nothing more of it starts, which might come before that.
   */
  public void onAsked(int c) {
    inFlight.askAll(c);
    gathering += pending.rest(c) ? 0 : 1;
  }

  /**
   * The device was asked for a submission in flight and gave it back half done: the context's next
   * one, once all that it has in flight has ended or come back too, goes on where it stopped.
   */
  public void onPreempted(int index, long startNs, long endNs, long busyNs, long now) {
    int c = inFlight.context(index);
    if (c < 0) {
      inFlight.remove(index);
      return;
    }
    long point = inFlight.point(index);
    progress.add(c, point, Math.min(endNs - startNs, scheduler.thereNs(index, now)));
    long busy = scheduler.possible(index, busyNs, now);
    endings.addBusy(c, point, startNs, endNs, busy);
    gathering += pending.giveBack(c, point, inFlight.isReplay(index)) ? 0 : 1;
    progress.charge(c, end(index, c, busy, endings.elapsed(c, startNs, endNs), now));
  }

  /**
   * The device gave a submission in flight back. It starts again in its turn, once all that its
   * context has in flight has ended or come back too.
   *
   * @param begun it had begun: then it starts again only if it is replayable, and only once
   * @return false, and nothing is done, when it may not
   */
  public boolean onReturn(int index, boolean begun) {
    int c = inFlight.context(index);
    if (c < 0 || begun && (closing.has(c) || !endings.queue(c).takeReplay(inFlight.point(index)))) {
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
  public void onAbandon(int index, int code, boolean completionComing) {
    int c = inFlight.context(index);
    boolean over = inFlight.endCode(index) == -Errno.ETIMEDOUT;
    endings.record(c, inFlight.point(index), code);
    forgetProgress(index, c);
    leave(index, c, completionComing);
    if (over) {
      endings.queue(c).log.charged(scheduler.cut(index, c, time));
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
  public boolean onReplay(int index, boolean completionComing) {
    int c = inFlight.context(index);
    long point = inFlight.point(index);
    if (closing.has(c) || !endings.queue(c).takeReplay(point)) {
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

  /**
   * The device does not know any more how far a submission had come that it gave back: it starts
   * over if it is replayable, else it ends with EINTR.
   */
  public void onProgressLost(int c) {
    long point = progress.point(c);
    if (point == 0 || !pending.restarts().has(c, point)) {
      return;
    }
    progress.clear(c);
    boolean ignored = pending.restarts().remove(c, point);
    if (!closing.has(c) && endings.queue(c).takeReplay(point)) {
      endings.forgetBusy(c, point);
      pending.replay(c, point);
    } else {
      endings.record(c, point, -Errno.EINTR);
      pending.changed(c);
    }
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
    endings.queue(c).log.setRunning(inFlight.running(c));
    if (gathering > 0 && inFlight.running(c) == 0) {
      gather(c);
    }
  }

  /** Nothing of the context is in flight any more: what came back starts in its turn. */
  private void gather(int c) {
    if (pending.gather(c)) {
      gathering--;
      if (closing.has(c)) {
        pending.endAll(c, -Errno.ECLOSED);
      }
    }
  }

  /** Whether the device gave a submission in flight back half done, and has it again. */
  public boolean isHalfDone(int index) {
    return progress.point(inFlight.context(index)) == inFlight.point(index);
  }

  /** What a submission in flight was charged before, as the device gave it back half done. */
  long chargedNs(int index) {
    return isHalfDone(index) ? progress.chargedNs(inFlight.context(index)) : 0;
  }

  /** How long a submission in flight had run before, as the device gave it back half done. */
  public long ranNs(int index) {
    return isHalfDone(index) ? progress.ranNs(inFlight.context(index)) : 0;
  }
}
