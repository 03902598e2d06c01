package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.group.AccelGroups;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.shm.Doorbell;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * The data plane of one place: machine, agent and what they share with other threads. It runs from
 * the place's beginning to its end, whether a device is open or not.
 */
final class DeviceEngine {
  private static final long ALIVE_CHECK_NS = 5_000_000;

  private final AgentHost host;
  private final Doorbell door;
  private final Bell bell;
  private final CompletionRing completions;
  private final ControlQueue control;
  private final DeviceScheduler scheduler;
  private final DeviceMachine machine;
  private final StartTimes starts;
  private final Watchdog watchdog;
  private final DeviceAgent agent;
  private final WorkEnding ending;
  private final HostGroups hostGroups;
  private final KeptWork kept;
  private AgentHost.Placement placement;
  private final AtomicReference<AccelGroups> newestGroups = new AtomicReference<>();
  private volatile boolean paused;

  /**
   * @param fence the device's part in fences
   * @param contexts finds a context by its core id
   * @param failed told why the open device can do no more; never blocks
   * @param groupFailed told why the process of a group can do no more; never blocks
   * @param background for what the agent has no time for
   */
  DeviceEngine(
      String name,
      SharedMemory shared,
      AgentHost host,
      Supplier<AccelLimits> limits,
      MonotonicClock clock,
      FenceDevice fence,
      LongFunction<Optional<ExecutionContext>> contexts,
      Consumer<RecoveryCause> failed,
      BiConsumer<String, RecoveryCause> groupFailed,
      Executor background) {
    this.host = host;
    MemorySegment commands = shared.commands().memory();
    door = new Doorbell(shared.doorbell().memory());
    bell = new Bell(door);
    completions = new CompletionRing(DevicePort.MAX_INFLIGHT, bell);
    control = new ControlQueue(bell, () -> limits.get().controlTimeoutMs(), failed);
    scheduler =
        new DeviceScheduler(
            name,
            PlaceContexts.CAPACITY,
            DevicePort.MAX_INFLIGHT,
            HostGroups.PROCESSES,
            clock.nanoTime());
    machine = new DeviceMachine(PlaceContexts.CAPACITY, DevicePort.MAX_INFLIGHT, scheduler);
    hostGroups =
        new HostGroups(
            PlaceContexts.CAPACITY, scheduler, machine.inFlight(), limits.get().maxInFlight());
    starts = new StartTimes(DevicePort.MAX_INFLIGHT);
    watchdog = new Watchdog(PlaceContexts.CAPACITY, machine.inFlight(), starts);
    kept = new KeptWork(commands, machine);
    PartialFailures failures =
        new PartialFailures(machine, PlaceContexts.CAPACITY, control::call, contexts, kept);
    Escalation escalation =
        new Escalation(
            machine,
            watchdog,
            clock,
            failures,
            () -> limits.get().hangGraceMs(),
            failed,
            hostGroups,
            groupFailed);
    agent =
        new DeviceAgent(
            name,
            commands,
            machine,
            completions,
            control,
            watchdog,
            escalation,
            failures,
            new WaitRelease(commands, machine, fence),
            clock,
            failed,
            hostGroups,
            groupFailed,
            scheduler,
            new Overruns(name, machine, scheduler, watchdog, background));
    ending = new WorkEnding(machine, agent, completions);
    start();
  }

  private void start() {
    control.open();
    placement = host.start(agent, door);
  }

  /** Starts the agent again if it failed. */
  void restart() {
    if (control.isClosed()) {
      placement.close();
      start();
    }
  }

  Bell bell() {
    return bell;
  }

  /** Where drivers tell that work has begun. */
  StartTimes starts() {
    return starts;
  }

  CompletionRing completions() {
    return completions;
  }

  /** For use in {@link #call}. */
  WorkEnding ending() {
    return ending;
  }

  /** For use in {@link #call}. */
  KeptWork kept() {
    return kept;
  }

  /** For use in {@link #call}: data calls go to {@code device} from now on, or to none. */
  void setDevice(OpenDevice device) {
    agent.setDevice(device);
  }

  /** For use in {@link #call}: in whose process contexts are. */
  HostGroups hostGroups() {
    return hostGroups;
  }

  /** For use in {@link #call}: nothing of the context starts until {@link #release}. */
  void hold(ContextSeat seat) {
    if (machine.queue(seat.index()) == seat.queue()) {
      agent.forgetFailures(seat.index());
      machine.onHold(seat.index(), true);
    }
  }

  /** For use in {@link #call}: ends one {@link #hold}. */
  void release(ContextSeat seat) {
    if (machine.queue(seat.index()) == seat.queue()) {
      machine.onHold(seat.index(), false);
    }
  }

  /**
   * For use in {@link #call}: a context comes.
   *
   * @param group whose process has it; null for the device's own
   */
  void open(ContextSeat seat, String group) {
    hostGroups.set(seat.index(), group);
    machine.onOpen(
        seat.index(), seat.scheduling(), ContextState.stampOf(seat.word()), seat.queue());
    hostGroups.settle();
    watchdog.onOpen(seat.index(), TimeUnit.MICROSECONDS.toNanos(seat.executionLimitUs()));
  }

  /**
   * From now on so many submissions may be on the device, or on each of its processes; those beyond
   * that are there now stay.
   */
  void limitInFlight(int most) {
    control.post(() -> hostGroups.limit(most));
  }

  /** These groups from now on; of several that come before the agent gets there, the last. */
  void schedule(AccelGroups groups) {
    if (newestGroups.getAndSet(groups) == null) {
      control.post(
          () -> {
            scheduler.apply(newestGroups.getAndSet(null));
            hostGroups.settle();
          });
    }
  }

  /** The administrator's choice from now on. */
  void schedule(SchedulingChoice choice) {
    control.post(
        () -> {
          scheduler.choose(choice);
          hostGroups.settle();
        });
  }

  /** For use in {@link #call}. */
  DeviceScheduler scheduler() {
    return scheduler;
  }

  /**
   * Has the agent do something between two cycles, and waits for it.
   *
   * @throws AccelException ETIMEDOUT when the agent is stuck in a call of the driver
   */
  void call(Runnable operation) {
    control.call(operation);
  }

  /** As {@link #call}, and does not wait; operations are done in order. */
  void post(Runnable operation) {
    control.post(operation);
  }

  void unpause() {
    post(() -> machine.onPause(false));
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  /** For use in {@link #call}: a context's work ends with {@code code}, and soon. */
  void evict(ContextSeat seat, int code) {
    if (ending.stopWith(seat, code)) {
      agent.evict(seat.index());
    }
  }

  /** Asks all work to leave the device; false when that cannot. */
  boolean evict() {
    AtomicBoolean can = new AtomicBoolean();
    call(() -> can.set(agent.evict()));
    return can.get();
  }

  /**
   * Starts no more work until {@link #unpause}, and waits until nothing is in flight.
   *
   * @param alive looked at now and then
   * @return false when {@code bound} ran out, the device is not alive or the thread is interrupted
   */
  boolean pause(Duration bound, BooleanSupplier alive) {
    CountDownLatch latch = new CountDownLatch(1);
    call(
        () -> {
          machine.onPause(true);
          agent.whenDrained(latch);
        });
    paused = true;
    long deadline = System.nanoTime() + bound.toNanos();
    try {
      while (!latch.await(
          Math.clamp(deadline - System.nanoTime(), 0, ALIVE_CHECK_NS), TimeUnit.NANOSECONDS)) {
        if (deadline - System.nanoTime() <= 0 || !alive.getAsBoolean()) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Ends the agent.
   *
   * @param stuck do not wait for it
   */
  void close(boolean stuck) {
    if (stuck) {
      placement.abandon();
    } else {
      placement.close();
    }
    bell.close();
  }
}
