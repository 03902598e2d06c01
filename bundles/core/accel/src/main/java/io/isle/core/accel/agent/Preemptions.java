package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.sched.Preemption;
import java.util.function.Consumer;

/**
 * Asks contexts to leave the device for others, as the scheduler advises (accelerator framework,
 * 42.2.4): a device that can stops their work where it is, another one gives back what it has not
 * begun. Advice is dear, so it is asked for when something has come, started or ended, and at most
 * each 20 us. The agent's.
 */
final class Preemptions {
  private static final long LEAST_NS = 20_000;

  private final DeviceMachine machine;
  private final DeviceScheduler scheduler;
  private final Consumer<RecoveryCause> failed;
  private OpenDevice device;
  private long lookedAt = -LEAST_NS;
  private long next = Long.MAX_VALUE;

  /** The device cannot be asked, or does not keep what it has done. */
  private boolean unable;

  /**
   * @param failed told why the open device can do no more
   */
  Preemptions(DeviceMachine machine, DeviceScheduler scheduler, Consumer<RecoveryCause> failed) {
    this.machine = machine;
    this.scheduler = scheduler;
    this.failed = failed;
  }

  /** Work is on {@code opened} from now on, or on none. */
  void setDevice(OpenDevice opened) {
    device = opened;
    unable = false;
    next = Long.MAX_VALUE;
  }

  /** When {@link #run} may have something to do. */
  long next() {
    return device == null || unable || machine.inFlight().size() == 0 ? Long.MAX_VALUE : next;
  }

  /** Looks whether something should leave. */
  void run(long now) {
    if (now < lookedAt) {
      // the clock went back
      next = now;
    }
    if (scheduler.takeChanged() && next > now) {
      next = Math.max(now, lookedAt + LEAST_NS);
    }
    if (now < next || device == null || unable) {
      return;
    }
    lookedAt = now;
    next = Long.MAX_VALUE;
    if (!scheduler.isContended() || machine.inFlight().size() == 0) {
      return;
    }
    Preemption advice = scheduler.core().preemption();
    for (int index = advice.advise(now);
        index != Preemption.NONE && device != null && !unable;
        index = advice.advise(now)) {
      if (!ask(index, advice.reason())) {
        next = now + LEAST_NS;
        return;
      }
      advice.onAsked(index);
    }
    next = Math.min(next, Math.max(advice.nextTimer(), now + LEAST_NS));
  }

  /** Returns false when the device is to be asked again. */
  private boolean ask(int index, int reason) {
    int c = machine.inFlight().context(index);
    if (c < 0) {
      return true;
    }
    try {
      int result = device.device().preempt(machine.queue(c).contextId, reason);
      if (result == -Errno.EAGAIN) {
        return false;
      }
      unable = result == -Errno.ENOTSUP;
      if (result == 0) {
        machine.departures().onAsked(c);
        machine.queue(c).log.addPreemption();
      }
    } catch (RuntimeException | Error e) {
      device = null;
      failed.accept(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, "preempt threw " + e));
    }
    return true;
  }

  /** Work that was asked for came back begun, and the device did not keep it: not again. */
  void onLost() {
    unable = true;
  }
}
