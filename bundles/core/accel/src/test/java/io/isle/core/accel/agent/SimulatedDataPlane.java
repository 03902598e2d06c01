package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Ids;
import io.isle.api.device.RecoveryCause;
import io.isle.core.accel.FakeDevice;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.machine.HostGroups;
import io.isle.core.accel.machine.Schedulers;
import io.isle.core.accel.machine.StartTimes;
import io.isle.core.accel.machine.Watchdog;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.queue.PointTimeline;
import io.isle.core.accel.queue.QueueRecord;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The data plane of a device on one thread and under simulated time: the agent's cycles and control
 * operations are called by the test, and the device is a list of what it took.
 */
final class SimulatedDataPlane {
  static final int CONTEXTS = 4;
  static final int DEPTH = 8;
  static final int MAX_IN_FLIGHT = 5;
  private static final int SLOT = 256;

  /** What the device took and has not finished. */
  record Taken(SimulatedTenant tenant, long point, long tag) {}

  private final FenceDevice fence = new FenceDevice("simulated", 0);
  final DeviceScheduler scheduler = Schedulers.byPriority(CONTEXTS, MAX_IN_FLIGHT);
  final DeviceMachine machine = new DeviceMachine(CONTEXTS, MAX_IN_FLIGHT, scheduler);
  final CompletionRing ring;
  final DeviceAgent agent;
  final WorkEnding ending;
  final List<SimulatedTenant> tenants = new ArrayList<>();
  final List<Taken> onDevice = new ArrayList<>();
  final List<Taken> gone = new ArrayList<>();
  boolean paused;
  boolean frozen;
  long now = 1;

  /** What the device says to every submission, if not 0. */
  int refusal;

  /** How often it said that. */
  int refused;

  /** Why the agent gave the device up; null while it has not. */
  String failure;

  private final Bell bell =
      new Bell(new AgentBells(Arena.ofAuto().allocate(64, 64), Arena.ofAuto()));
  private final MemorySegment commands = Arena.ofAuto().allocate(CONTEXTS * DEPTH * SLOT, 64);
  private final Set<Long> tags = new HashSet<>();
  private OpenDevice device;
  private int opened;

  SimulatedDataPlane() {
    ring = new CompletionRing(MAX_IN_FLIGHT, bell);
    ControlQueue control = new ControlQueue(bell, () -> 1000, cause -> fail(cause.text()));
    StartTimes starts = new StartTimes(MAX_IN_FLIGHT);
    Watchdog watchdog = new Watchdog(CONTEXTS, machine.inFlight(), starts);
    HostGroups groups = new HostGroups(CONTEXTS, scheduler, machine.inFlight(), MAX_IN_FLIGHT);
    PartialFailures failures =
        new PartialFailures(
            machine,
            CONTEXTS,
            Runnable::run,
            id -> Optional.empty(),
            new KeptWork(commands, machine));
    Escalation escalation =
        new Escalation(
            machine,
            watchdog,
            failures,
            () -> 1000,
            cause -> fail(cause.text()),
            groups,
            (group, cause) -> fail(cause.text()));
    agent =
        new DeviceAgent(
            new DeviceAgent.Device("simulated", commands, bell, fence),
            () -> now,
            new DeviceAgent.Inlets(ring, control),
            new DeviceAgent.Machinery(machine, scheduler, groups, watchdog),
            new DeviceAgent.Guards(
                escalation,
                failures,
                new Overruns("simulated", machine, scheduler, watchdog, Runnable::run),
                new WorkErrors(
                    Runnable::run, id -> Optional.empty(), (record, point, count) -> {})),
            new DeviceAgent.Listeners(
                this::failed, (group, cause) -> fail(cause.text()), (record, point, count) -> {}));
    ending = new WorkEnding(machine, agent, ring);
    thaw();
    for (int c = 0; c < CONTEXTS; c++) {
      tenants.add(tenant(c));
    }
  }

  private void failed(RecoveryCause cause) {
    assertTrue(refusal != 0, cause::text);
    failure = cause.text();
  }

  private static void fail(String why) {
    throw new AssertionError(why);
  }

  /** A new context at an index that is free; every other one keeps its pending work. */
  SimulatedTenant tenant(int c) {
    PointTimeline timeline =
        new PointTimeline(Ids.of(Ids.TIMELINE, 1, c), bell, FenceOwner.NOBODY, DEPTH);
    long offset = (long) c * DEPTH * SLOT;
    ContextQueue queue =
        new ContextQueue(Ids.of(Ids.CONTEXT, ++opened, c), timeline, offset, SLOT, DEPTH);
    QueueRecord record = new SimulatedRecord(c, queue);
    machine.onOpen(c, Schedulers.spec(c % 3), ContextState.stampOf(record.word()), queue);
    boolean ignored = record.opened(device);
    return new SimulatedTenant(record);
  }

  /** Contexts go on with a device that has nothing of theirs. */
  void thaw() {
    device =
        OpenDevice.asked(
            new FakeDevice() {
              @Override
              public int submit(
                  long context, long tag, MemorySegment commands, long offset, int length) {
                refused += refusal == 0 ? 0 : 1;
                return refusal == 0 ? take(context, tag, offset) : refusal;
              }
            },
            1,
            null);
    agent.setDevice(device);
    frozen = false;
    tenants.forEach(this::revive);
  }

  void freeze() {
    frozen = true;
    tenants.forEach(tenant -> tenant.record.interrupt());
    agent.setDevice(null);
  }

  /** A context goes on with the device that is there. */
  void revive(SimulatedTenant tenant) {
    if (tenant.record.bind(device)) {
      tenant.record.resume();
    }
  }

  void pause(boolean on) {
    paused = on;
    machine.onPause(on);
  }

  private int take(long context, long tag, long offset) {
    assertFalse(frozen, "dispatched while frozen");
    assertFalse(paused, "dispatched while paused");
    assertTrue(tags.add(tag), "a tag was used twice");
    SimulatedTenant tenant =
        tenants.stream().filter(t -> t.record.id() == context).findFirst().orElseThrow();
    long point = tenant.dispatched(offset);
    onDevice.add(new Taken(tenant, point, tag));
    return 0;
  }

  /** The device finishes something. */
  void complete(Taken taken, int status) {
    complete(taken, status, 0);
  }

  void complete(Taken taken, int status, int detail) {
    onDevice.remove(taken);
    assertEquals(0, ring.complete(taken.tag(), status, 1, 2, 1, detail));
    gone.add(taken);
  }
}
