package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.PreemptReason;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.HostGroups;
import io.isle.core.accel.machine.Watchdog;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Acts for the {@link Watchdog}: asks the context to leave the engine, then resets it, then the
 * device, then gives the device up; where groups have processes of their own, the group's process
 * alone, instead of both. What is over its limit ends with ETIMEDOUT; what else a reset takes with
 * it, with EINTR. One thread; control calls are made on the device's control lane.
 */
final class Escalation {
  private final DeviceMachine machine;
  private final Watchdog watchdog;
  private final PartialFailures failures;
  private final LongSupplier graceMs;
  private final Consumer<RecoveryCause> failed;
  private final HostGroups groups;
  private final BiConsumer<String, RecoveryCause> groupFailed;
  private OpenDevice device;

  /**
   * @param graceMs time from one step to the next; read at each
   * @param failed told why the open device can do no more
   * @param groupFailed told why the process of a group can do no more
   */
  Escalation(
      DeviceMachine machine,
      Watchdog watchdog,
      PartialFailures failures,
      LongSupplier graceMs,
      Consumer<RecoveryCause> failed,
      HostGroups groups,
      BiConsumer<String, RecoveryCause> groupFailed) {
    this.machine = machine;
    this.watchdog = watchdog;
    this.failures = failures;
    this.graceMs = graceMs;
    this.failed = failed;
    this.groups = groups;
    this.groupFailed = groupFailed;
  }

  /** Work is on {@code opened} from now on, or on none. */
  void setDevice(OpenDevice opened) {
    device = opened;
    watchdog.onDevice();
  }

  /** How long the agent may sleep from now on. */
  long maxSleepNs(long now) {
    long next = watchdog.nextScan();
    return next == Long.MAX_VALUE ? next : Math.max(0, next - now);
  }

  /** Looks after work in flight. */
  void run(long now) {
    if (device == null || watchdog.nextScan() == Long.MAX_VALUE || watchdog.nextScan() - now > 0) {
      return;
    }
    int count = watchdog.scan(now, TimeUnit.MILLISECONDS.toNanos(graceMs.getAsLong()));
    for (int i = 0; i < count && device != null; i++) {
      act(watchdog.due(i));
    }
  }

  private void act(int index) {
    int c = machine.inFlight().context(index);
    if (watchdog.step(index) != Watchdog.Step.PREEMPT && failures.awaitsReset(c)) {
      // a step before has not been taken yet
      watchdog.postpone(index);
      return;
    }
    long context = machine.queue(c).contextId;
    machine.inFlight().stopWith(index, -Errno.ETIMEDOUT);
    switch (watchdog.step(index)) {
      case PREEMPT -> preempt(index, context);
      case RESET_CONTEXT -> failures.resetContext(c);
      case RESET_DEVICE -> {
        if (device.isolation().isPresent()) {
          // a reset would take other groups' work, which is in other processes
          giveUp(c);
        } else {
          failures.resetDevice();
        }
      }
      case GIVE_UP -> giveUp(c);
      case NONE -> throw new IllegalStateException("nothing is due");
    }
  }

  /** The process that has the context is to be replaced: a group's own, or the device's. */
  private void giveUp(int c) {
    RecoveryCause cause =
        new RecoveryCause(
            RecoveryCause.Kind.TIMEOUT, "work beyond its time limit cannot be stopped");
    String group = groups.of(c);
    if (group == null) {
      device = null;
      failed.accept(cause);
    } else {
      groupFailed.accept(group, cause);
    }
  }

  /** Elsewhere work runs on to the end of its command buffer, and fails there. */
  private static boolean stopsRunningWork(DeviceInfo.Preemption granularity) {
    return granularity == DeviceInfo.Preemption.INSTRUCTION
        || granularity == DeviceInfo.Preemption.DRAW_DISPATCH;
  }

  private void preempt(int index, long context) {
    try {
      int result = device.device().preempt(context, PreemptReason.EXECUTION_TIMEOUT);
      if (result == -Errno.ENOTSUP || !stopsRunningWork(device.info().preemption())) {
        machine.inFlight().markOverdue(index);
      }
    } catch (RuntimeException | Error e) {
      device = null;
      failed.accept(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, "preempt threw " + e));
    }
  }
}
