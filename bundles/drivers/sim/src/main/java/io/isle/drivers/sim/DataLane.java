package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DeviceInfo.Preemption;
import io.isle.api.driver.PreemptReason;
import java.lang.foreign.MemorySegment;

/**
 * What the device's agent calls: submissions go into the queues of their contexts, and work is told
 * to leave the engine. One thread, beside the control lane; answers codes, allocates nothing and
 * never waits.
 */
final class DataLane {
  private final IdTable<SimContext> contexts;
  private final Intake intake;
  private final Preemption granularity;
  private final MonotonicClock clock;
  private final Runnable wake;

  /**
   * @param wake called after work was queued
   */
  DataLane(
      IdTable<SimContext> contexts,
      Intake intake,
      Preemption granularity,
      MonotonicClock clock,
      Runnable wake) {
    this.contexts = contexts;
    this.intake = intake;
    this.granularity = granularity;
    this.clock = clock;
    this.wake = wake;
  }

  int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    SimContext target = contexts.get(context);
    if (target == null) {
      return -Errno.ESTALE;
    }
    target.entering = true;
    try {
      return target.closed ? -Errno.ESTALE : enqueue(target, tag, commands, offset, length);
    } catch (IllegalStateException | IndexOutOfBoundsException | IllegalArgumentException e) {
      // Not a segment that a driver can read: closed, or on the heap without alignment.
      return -Errno.EINVAL;
    } finally {
      target.entering = false;
    }
  }

  private int enqueue(
      SimContext target, long tag, MemorySegment commands, long offset, int length) {
    if (target.isFull()) {
      return -Errno.EAGAIN;
    }
    long position = target.tail.get();
    int code = intake.take(target, tag, commands, offset, length, target.at(position));
    if (code == 0) {
      target.tail.set(position + 1);
      wake.run();
    }
    return code;
  }

  int preempt(long context, int reason) {
    if (granularity == Preemption.NONE) {
      return -Errno.ENOTSUP;
    }
    SimContext target = contexts.get(context);
    if (target == null) {
      return -Errno.ESTALE;
    }
    if (reason < PreemptReason.PRIORITY_INVERSION || reason > PreemptReason.ADMIN_EVICT) {
      return -Errno.EINVAL;
    }
    if (reason != PreemptReason.EXECUTION_TIMEOUT) {
      target.preemptBefore = target.tail.get();
      // what waits for a point is looked at by nobody
      wake.run();
    }
    long running = target.onEngine;
    if (running != 0 && !(reason == PreemptReason.EXECUTION_TIMEOUT && isWithinLimit(target))) {
      target.leaveReason = reason;
      target.leave = running;
    }
    return 0;
  }

  /** The work that the core means has ended meanwhile; what runs now is another's. */
  private boolean isWithinLimit(SimContext target) {
    long limitUs = target.args.maxExecutionUs();
    long ranNs = clock.nanoTime() - target.onEngineSinceNs;
    return limitUs > 0 && ranNs / 1000 < limitUs;
  }
}
