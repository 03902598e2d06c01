package io.isle.sim;

import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.admission.ContextRules;
import io.isle.core.accel.admission.Membership;
import io.isle.core.accel.agent.DataPlane;
import io.isle.core.accel.agent.DeviceAgent;
import io.isle.core.accel.agent.ServedContext;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.DeviceServices;
import io.isle.core.accel.device.ControlLane;
import io.isle.core.accel.device.CurrentOpening;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.memory.CommandArena;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.CallbackThreads;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.queue.PointTimeline;
import io.isle.core.accel.sched.Journal;
import io.isle.core.accel.sched.SchedulingCore;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.settings.SchedulingChoice;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The data plane of one device, as it runs live, on the thread and under the clock of a simulator:
 * {@link #cycle} is a duty cycle of the device's agent. What tenants do is done here without their
 * checks. Not thread-safe.
 */
final class VirtualDataPlane {
  /** Between two entries of a context's queue. */
  static final int SLOT_BYTES = 64;

  private static final long PAGE = 64;

  private final String name;
  private final FenceDevice fence;
  private final DataPlane plane;
  private final DeviceServices services;
  private final CommandArena arena;

  /** By index; null where no context is. */
  private final ContextRecord[] records;

  private OpenDevice device;
  private int opened;

  /**
   * @param contexts most of them at a time, 1 to 1024
   * @param queueEntries of all their queues together
   * @param depth most submissions in flight; 0 for what the platform takes
   * @param policy empty for what the platform takes
   * @param gaveUp told that the agent wants another opening of the device, within a cycle
   */
  VirtualDataPlane(
      String name,
      int contexts,
      int queueEntries,
      int depth,
      Optional<SchedulingPolicy> policy,
      MonotonicClock clock,
      Consumer<String> gaveUp) {
    this.name = name;
    fence = new FenceDevice(name, 0);
    // nobody else sees it, and a simulation is over when nobody looks at it any more
    Arena memory = Arena.ofAuto();
    MemorySegment commands = memory.allocate((long) queueEntries * SLOT_BYTES, PAGE);
    arena = new CommandArena(commands.byteSize());
    records = new ContextRecord[contexts];
    Bell bell = new Bell(new AgentBells(memory.allocate(PAGE, PAGE), memory));
    services =
        new DeviceServices(
            name,
            new CurrentOpening(name),
            commands,
            bell,
            fence,
            new CallbackThreads(name, () -> AccelLimits.DEFAULT, clock));
    Consumer<RecoveryCause> failed = cause -> gaveUp.accept(cause.text());
    plane =
        new DataPlane(
            new DeviceAgent.Device(name, commands, bell, fence),
            contexts,
            clock,
            () -> AccelLimits.DEFAULT,
            id -> Optional.<ServedContext>empty(),
            new DeviceAgent.Listeners(
                failed, (group, cause) -> failed.accept(cause), (record, point, count) -> {}),
            // the log is for administrators
            task -> {});
    plane.agent().onStart();
    plane.hostGroups().limit(Math.max(AccelLimits.DEFAULT.maxInFlight(), depth));
    plane.choose(new SchedulingChoice(policy, depth == 0 ? Optional.empty() : Optional.of(depth)));
  }

  /** Where the device's completions go. */
  CompletionSink completions() {
    return plane.completions();
  }

  /** The device tells that work has begun. */
  void started(long tag, long ns) {
    plane.starts().started(tag, ns);
  }

  /** Decisions; to be read between cycles, and not changed. */
  SchedulingCore scheduler() {
    return plane.scheduler().core();
  }

  /** Gets all that happens in the scheduler from now on; decisions are made without leases then. */
  void setJournal(Journal journal) {
    plane.scheduler().core().setJournal(journal);
  }

  /** Name of a group by the number that a journal has for it; empty where there is none. */
  Optional<String> groupName(int number) {
    return plane.scheduler().groupName(number);
  }

  /** These groups from now on; they must be admitted. */
  void apply(AccelGroups groups) {
    plane.apply(groups);
  }

  /** Work goes to that device from now on, which has nothing of it. */
  void online(AccelDevice now) {
    device = OpenDevice.asked(now, 1, new ControlLane(new InlineLane()));
    plane.agent().setDevice(device);
    for (ContextRecord record : records()) {
      if (record.bind(device)) {
        record.resume();
      }
    }
  }

  /** The device is gone: what was in flight ends with EINTR, what was pending too or is kept. */
  void crash() {
    List<ContextRecord> living = records();
    living.forEach(ContextRecord::interrupt);
    plane.agent().setDevice(null);
    var ignored = plane.ending().fail(living, false);
  }

  private List<ContextRecord> records() {
    List<ContextRecord> all = new ArrayList<>();
    for (ContextRecord record : records) {
      if (record != null) {
        all.add(record);
      }
    }
    return all;
  }

  /**
   * A context comes; it must be admitted.
   *
   * @return its index
   * @throws IllegalStateException when there is no room
   */
  int open(String group, ContextSpec spec) {
    int c = 0;
    while (records[c] != null) {
      if (++c == records.length) {
        throw new IllegalStateException("all " + c + " contexts are taken");
      }
    }
    long offset = arena.take((long) spec.queueDepth() * SLOT_BYTES);
    FenceOwner owner = new FenceOwner(group, fence, by -> {});
    PointTimeline timeline =
        new PointTimeline(Ids.of(Ids.TIMELINE, 1, c), services.bell(), owner, spec.queueDepth());
    ContextQueue queue =
        new ContextQueue(
            Ids.of(Ids.CONTEXT, ++opened, c), timeline, offset, SLOT_BYTES, spec.queueDepth());
    ContextRecord record =
        new ContextRecord(services, device, member(group, spec), c, offset, queue);
    records[c] = record;
    plane.open(record, record.scheduling(), record.executionLimitUs(), null);
    boolean ignored = record.opened(device);
    return c;
  }

  private Membership member(String group, ContextSpec spec) {
    return new Membership(
        name,
        new VirtualGrant(group),
        spec,
        Objects.requireNonNull(spec.priority()),
        ContextRules.guarantee(spec));
  }

  /** Its id, of which the low half is its index. */
  long contextId(int c) {
    return records[c].id();
  }

  /** Of the first entry of its queue; entries are used in turn. */
  long offset(int c) {
    return records[c].offset();
  }

  /** Whether the context takes a submission: it is there, and its queue has room. */
  boolean takes(int c) {
    PointTimeline timeline = records[c].queue().timeline;
    return records[c].usable()
        && timeline.submitted() - timeline.recorded() < records[c].queue().depth();
  }

  /** Submissions so far. */
  long submitted(int c) {
    return records[c].queue().timeline.submitted();
  }

  /** Makes the next submission, which the context must take. */
  void submit(int c) {
    ContextRecord record = records[c];
    long point = record.queue().timeline.submitted() + 1;
    record.queue().describe(point, SLOT_BYTES, 0, ContextState.stampOf(record.word()), false);
    record.queue().timeline.publish(point);
  }

  /** All submissions up to this one have ended. */
  long ended(int c) {
    return records[c].queue().timeline.recorded();
  }

  /** How one of the newest ended: 0, or a negated code. */
  int status(int c, long point) {
    return records[c].queue().timeline.status(point);
  }

  /** The context starts nothing more; what it has in flight goes on. */
  void close(int c) {
    var ignored = records[c].close();
    plane.ending().close(records[c], -Errno.ECLOSED);
    plane.agent().publish();
  }

  /** Whether it has something pending that only the scheduler keeps from starting. */
  boolean isStartable(int c) {
    return plane.machine().pending().isStartable(c);
  }

  /** Whether it has nothing in flight. */
  boolean isDrained(int c) {
    return plane.machine().inFlight().running(c) == 0;
  }

  /** Ends what is left of a context that is closed. */
  void forget(int c) {
    plane.ending().forget(records[c], -Errno.ECLOSED);
  }

  /** Its index is free again. */
  void release(int c) {
    arena.give(records[c].offset(), (long) records[c].queue().depth() * SLOT_BYTES);
    records[c] = null;
  }

  /** A duty cycle of the agent; returns how much it did. */
  int cycle() {
    return plane.agent().doWork();
  }

  /** After a cycle without work: when the next one is due if nothing happens before. */
  long sleepNs() {
    return plane.agent().maxSleepNs();
  }
}
