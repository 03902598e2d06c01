package io.isle.core.accel.agent;

import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DevicePort;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.machine.HostGroups;
import io.isle.core.accel.machine.SchedulingSpec;
import io.isle.core.accel.machine.StartTimes;
import io.isle.core.accel.machine.Watchdog;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.queue.QueueRecord;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.settings.SchedulingChoice;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * The data plane of one device, put together: its machine, the agent that runs it, and what they
 * share with other threads. All is the agent's but what says otherwise.
 */
public final class DataPlane {
  private final ControlQueue control;
  private final CompletionRing completions;
  private final DeviceScheduler scheduler;
  private final DeviceMachine machine;
  private final StartTimes starts;
  private final Watchdog watchdog;
  private final HostGroups hostGroups;
  private final KeptWork kept;
  private final DeviceAgent agent;
  private final WorkEnding ending;

  /**
   * @param contexts most of them at a time
   * @param found finds a context by its core id
   * @param background for what the agent has no time for
   */
  public DataPlane(
      DeviceAgent.Device device,
      int contexts,
      MonotonicClock clock,
      Supplier<AccelLimits> limits,
      LongFunction<? extends Optional<? extends ServedContext>> found,
      DeviceAgent.Listeners listeners,
      Executor background) {
    String name = device.name();
    completions = new CompletionRing(DevicePort.MAX_INFLIGHT, device.bell());
    control =
        new ControlQueue(device.bell(), () -> limits.get().controlTimeoutMs(), listeners.failed());
    scheduler =
        new DeviceScheduler(
            name, contexts, DevicePort.MAX_INFLIGHT, HostGroups.PROCESSES, clock.nanoTime());
    machine = new DeviceMachine(contexts, DevicePort.MAX_INFLIGHT, scheduler);
    hostGroups =
        new HostGroups(contexts, scheduler, machine.inFlight(), limits.get().maxInFlight());
    starts = new StartTimes(DevicePort.MAX_INFLIGHT);
    watchdog = new Watchdog(contexts, machine.inFlight(), starts);
    kept = new KeptWork(device.commands(), machine);
    PartialFailures failures = new PartialFailures(machine, contexts, control::call, found, kept);
    Escalation escalation =
        new Escalation(
            machine,
            watchdog,
            failures,
            () -> limits.get().hangGraceMs(),
            listeners.failed(),
            hostGroups,
            listeners.groupFailed());
    agent =
        new DeviceAgent(
            device,
            clock,
            new DeviceAgent.Inlets(completions, control),
            new DeviceAgent.Machinery(machine, scheduler, hostGroups, watchdog),
            new DeviceAgent.Guards(
                escalation,
                failures,
                new Overruns(name, machine, scheduler, watchdog, background),
                new WorkErrors(background, found, listeners.workErrors())),
            listeners);
    ending = new WorkEnding(machine, agent, completions);
  }

  /** How other threads have the agent do something. Any thread. */
  public ControlQueue control() {
    return control;
  }

  /** Where drivers complete. Any thread. */
  public CompletionRing completions() {
    return completions;
  }

  /** Where drivers tell that work has begun. Any thread. */
  public StartTimes starts() {
    return starts;
  }

  public DeviceAgent agent() {
    return agent;
  }

  public DeviceMachine machine() {
    return machine;
  }

  public DeviceScheduler scheduler() {
    return scheduler;
  }

  /** In whose process contexts are. */
  public HostGroups hostGroups() {
    return hostGroups;
  }

  public KeptWork kept() {
    return kept;
  }

  public WorkEnding ending() {
    return ending;
  }

  /**
   * A context comes.
   *
   * @param executionLimitUs longest time of a submission, 0 for no limit
   * @param group whose process has it; null for the device's own
   */
  public void open(
      QueueRecord record, SchedulingSpec scheduling, long executionLimitUs, String group) {
    int c = record.index();
    hostGroups.set(c, group);
    machine.onOpen(c, scheduling, ContextState.stampOf(record.word()), record.queue());
    hostGroups.settle();
    long limitNs = TimeUnit.MICROSECONDS.toNanos(executionLimitUs);
    watchdog.onOpen(c, limitNs);
    machine.charges().open(c, limitNs);
  }

  /** These groups from now on. */
  public void apply(AccelGroups groups) {
    scheduler.apply(groups);
    hostGroups.settle();
  }

  /** The administrator's choice from now on. */
  public void choose(SchedulingChoice choice) {
    scheduler.choose(choice);
    hostGroups.settle();
  }
}
