package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.machine.ContextSet;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.queue.ContextQueue;
import java.lang.foreign.MemorySegment;

/**
 * Looks at what the next submissions of contexts wait for: releases those whose waits are over,
 * ends those whose waits failed or took too long, and gives those to the device that it keeps
 * itself. The agent's own; allocates nothing.
 */
final class WaitRelease {
  private final DeviceMachine machine;
  private final FenceDevice own;
  private final HandedWaits handed;

  WaitRelease(MemorySegment commands, DeviceMachine machine, FenceDevice own) {
    this.machine = machine;
    this.own = own;
    this.handed = new HandedWaits(commands, machine, own);
  }

  /** Control operation. */
  void setDevice(OpenDevice opened) {
    handed.setDevice(opened);
  }

  /** Returns how many submissions wait no more. */
  int run(long now) {
    ContextSet waiting = machine.pending().waiting();
    int done = 0;
    if (waiting.size() > 0 || handed.size() > 0) {
      for (int i = waiting.size() - 1; i >= 0; i--) {
        done += look(waiting.get(i), now);
      }
      done += handed.run(now);
    }
    own.count(waiting.size(), handed.size());
    return done;
  }

  private int look(int c, long now) {
    long point = machine.pending().head(c);
    int state = machine.queue(c).waits(point, now);
    if (state == -Errno.EINPROGRESS && !handed.take(c, point, now)) {
      return 0;
    }
    if (state == 0) {
      handed.clear(machine.queue(c), point);
    }
    if (state == 0 || state == -Errno.EINPROGRESS) {
      machine.onPoint(c);
      return 1;
    }
    if (state == -Errno.ETIMEDOUT) {
      own.timedOut();
    }
    machine.onRefuse(c, point, state);
    return 1;
  }

  /** When a wait may end without a signal; Long.MAX_VALUE for never. */
  long next() {
    long next = handed.nextLimit();
    ContextSet waiting = machine.pending().waiting();
    for (int i = 0; i < waiting.size(); i++) {
      int c = waiting.get(i);
      next = Math.min(next, limit(machine.queue(c), machine.pending().head(c)));
    }
    return next;
  }

  /** When the waits of a submission may end without a signal; Long.MAX_VALUE for never. */
  static long limit(ContextQueue queue, long point) {
    long next = queue.waitLimit(point);
    for (int i = 0; i < queue.waitCount(point); i++) {
      FenceSource source = queue.waitSource(point, i);
      // of a wait that is over, nobody looks at the deadline any more
      if (queue.waitPoint(point, i) > source.reached()) {
        next = Math.min(next, source.nextDeadline());
      }
    }
    return next;
  }
}
