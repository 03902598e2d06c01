package io.isle.core.accel.agent;

import io.isle.api.base.Ids;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.machine.Watchdog;
import io.isle.core.accel.queue.ContextQueue;
import java.util.concurrent.Executor;

/**
 * What is done about work that ran beyond its context's limit on a device that cannot stop it
 * (accelerator framework, 42.2.4): it is told and counted, and the context starts nothing until its
 * next period has made up for it. The agent's.
 */
final class Overruns {
  private static final System.Logger LOG = System.getLogger(Overruns.class.getName());

  private final String device;
  private final DeviceMachine machine;
  private final DeviceScheduler scheduler;
  private final Watchdog watchdog;
  private final Executor background;

  /**
   * @param background where it is logged
   */
  Overruns(
      String device,
      DeviceMachine machine,
      DeviceScheduler scheduler,
      Watchdog watchdog,
      Executor background) {
    this.device = device;
    this.machine = machine;
    this.scheduler = scheduler;
    this.watchdog = watchdog;
    this.background = background;
  }

  /** Such work is about to end, after {@code ranNs} on the engine, as the driver tells. */
  void onEnd(int index, long ranNs, long now) {
    int c = machine.inFlight().context(index);
    long ran = Math.min(ranNs, scheduler.thereNs(index, now));
    long over = c < 0 ? 0 : watchdog.overrunNs(index, ran);
    if (over == 0) {
      return;
    }
    ContextQueue queue = machine.queue(c);
    queue.log.addOverrun();
    long delay = Math.min(over, scheduler.periodNs(c));
    machine.onOverrun(c, now + delay);
    background.execute(
        () ->
            LOG.log(
                System.Logger.Level.WARNING,
                "{0}: context {1} ran {2} us beyond its limit, because the device cannot preempt"
                    + " work; the next work of the context starts {3} us later",
                device,
                Ids.text(queue.contextId),
                Long.toString(over / 1000),
                Long.toString(delay / 1000)));
  }
}
