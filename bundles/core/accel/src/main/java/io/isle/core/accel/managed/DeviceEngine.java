package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.base.MonotonicClock;
import io.isle.core.accel.agent.CompletionRing;
import io.isle.core.accel.agent.ControlQueue;
import io.isle.core.accel.agent.DataPlane;
import io.isle.core.accel.agent.DeviceAgent;
import io.isle.core.accel.agent.KeptWork;
import io.isle.core.accel.agent.ServedContext;
import io.isle.core.accel.agent.WorkEnding;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.machine.HostGroups;
import io.isle.core.accel.machine.StartTimes;
import io.isle.core.accel.memory.SharedMemory;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.settings.SchedulingChoice;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.shm.AgentBells;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * The data plane of a managed device: machine, agent and what they share with other threads. It
 * runs from the beginning of the managed device to its end, whether a device is open or not.
 */
public final class DeviceEngine {
  /**
   * Who works for a device.
   *
   * @param agents run its agent
   * @param background for what the agent has no time for
   */
  public record Workers(AgentHost agents, Executor background) {}

  private static final long ALIVE_CHECK_NS = 5_000_000;

  private final AgentHost host;
  private final SharedMemory shared;
  private final AgentBells bells;
  private final Bell bell;
  private final DataPlane plane;
  private final ControlQueue control;
  private AgentHost.Placement placement;
  private final AtomicReference<AccelGroups> newestGroups = new AtomicReference<>();
  private volatile boolean paused;

  /**
   * @param fence the device's part in fences
   * @param shared the caller's, until the engine is there; from then on this closes it
   * @param contexts finds a context by its core id
   */
  DeviceEngine(
      FenceDevice fence,
      SharedMemory shared,
      Workers workers,
      Supplier<AccelLimits> limits,
      MonotonicClock clock,
      LongFunction<? extends Optional<? extends ServedContext>> contexts,
      DeviceAgent.Listeners listeners) {
    this.host = workers.agents();
    this.shared = shared;
    bells = new AgentBells(shared.agent().memory(), shared.lifetime());
    bell = new Bell(bells);
    plane =
        new DataPlane(
            new DeviceAgent.Device(fence.id(), shared.commands().memory(), bell, fence),
            ContextRecords.CAPACITY,
            clock,
            limits,
            contexts,
            listeners,
            workers.background());
    control = plane.control();
    start();
  }

  private void start() {
    control.open();
    boolean started = false;
    try {
      placement = host.start(plane.agent(), bells);
      started = true;
    } finally {
      if (!started) {
        control.close();
      }
    }
  }

  /** Whether the agent has failed, and no other one was started. */
  boolean isDown() {
    return control.isClosed();
  }

  /** Starts the agent again if it failed. */
  void restart() {
    if (isDown()) {
      placement.close();
      start();
    }
  }

  Bell bell() {
    return bell;
  }

  /** The segments that the device's driver works on. */
  SharedMemory shared() {
    return shared;
  }

  /** What the agent sleeps on. */
  AgentBells bells() {
    return bells;
  }

  /** Where drivers tell that work has begun. */
  StartTimes starts() {
    return plane.starts();
  }

  CompletionRing completions() {
    return plane.completions();
  }

  /** For use in {@link #call}. */
  WorkEnding ending() {
    return plane.ending();
  }

  /** For use in {@link #call}. */
  KeptWork kept() {
    return plane.kept();
  }

  /** For use in {@link #call}: data calls go to {@code device} from now on, or to none. */
  void setDevice(OpenDevice device) {
    plane.agent().setDevice(device);
  }

  /** For use in {@link #call}: in whose process contexts are. */
  HostGroups hostGroups() {
    return plane.hostGroups();
  }

  /** For use in {@link #call}: nothing of the context starts until {@link #release}. */
  void hold(ContextRecord record) {
    if (plane.machine().queue(record.index()) == record.queue()) {
      plane.agent().forgetFailures(record.index());
      plane.machine().onHold(record.index(), true);
    }
  }

  /** For use in {@link #call}: ends one {@link #hold}. */
  void release(ContextRecord record) {
    if (plane.machine().queue(record.index()) == record.queue()) {
      plane.machine().onHold(record.index(), false);
    }
  }

  /**
   * For use in {@link #call}: a context comes.
   *
   * @param group whose process has it; null for the device's own
   */
  void open(ContextRecord record, String group) {
    plane.open(record, record.scheduling(), record.executionLimitUs(), group);
  }

  /**
   * From now on so many submissions may be on the device, or on each of its processes; those beyond
   * that are there now stay.
   */
  void limitInFlight(int most) {
    control.post(() -> plane.hostGroups().limit(most));
  }

  /** These groups from now on; of several that come before the agent gets there, the last. */
  void schedule(AccelGroups groups) {
    if (newestGroups.getAndSet(groups) == null) {
      control.post(() -> plane.apply(newestGroups.getAndSet(null)));
    }
  }

  /** The administrator's choice from now on. */
  void schedule(SchedulingChoice choice) {
    control.post(() -> plane.choose(choice));
  }

  /** The policy in force. */
  SchedulingPolicy policy() {
    return plane.scheduler().policy();
  }

  /** For use in {@link #call}. */
  DeviceScheduler scheduler() {
    return plane.scheduler();
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
    post(() -> plane.machine().onPause(false));
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  /** For use in {@link #call}: a context's work ends with {@code code}, and soon. */
  void evict(ContextRecord record, int code) {
    if (plane.ending().stopWith(record, code)) {
      plane.agent().evict(record.index());
    }
  }

  /** Asks all work to leave the device; false when that cannot. */
  boolean evict() {
    AtomicBoolean can = new AtomicBoolean();
    call(() -> can.set(plane.agent().evict()));
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
          plane.machine().onPause(true);
          plane.agent().whenDrained(latch);
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
   * Ends the agent; the shared segments go once it does nothing more.
   *
   * @param stuck do not wait for it
   */
  void close(boolean stuck) {
    bell.close();
    if (stuck) {
      placement.abandon(shared::close);
    } else {
      placement.close();
      shared.close();
    }
  }
}
