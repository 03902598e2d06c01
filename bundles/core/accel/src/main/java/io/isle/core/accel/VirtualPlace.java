package io.isle.core.accel;

import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.sched.Journal;
import io.isle.core.accel.sched.SchedulingCore;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.lib.shm.Doorbell;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The data plane of one device, as it runs live, on the thread and under the clock of a simulator:
 * {@link #cycle} is a duty cycle of the device's agent. What tenants do is done here without their
 * checks. Not thread-safe.
 */
public final class VirtualPlace {
  /** Between two entries of a context's queue. */
  public static final int SLOT_BYTES = 64;

  private static final long PAGE = 64;

  private final String name;
  private final FenceDevice fence;
  private final GroupMembers members;
  private final DeviceScheduler scheduler;
  private final DeviceMachine machine;
  private final CompletionRing completions;
  private final StartTimes starts;
  private final Watchdog watchdog;
  private final HostGroups hostGroups;
  private final DeviceAgent agent;
  private final WorkEnding ending;
  private final Bell bell;
  private final CommandArena arena;

  /** By index; null where no context is. */
  private final ContextSeat[] seats;

  private OpenDevice device;
  private int opened;

  /**
   * @param contexts most of them at a time, 1 to 1024
   * @param queueEntries of all their queues together
   * @param depth most submissions in flight; 0 for what the platform takes
   * @param policy empty for what the platform takes
   * @param gaveUp told that the agent wants another opening of the device, within a cycle
   */
  public VirtualPlace(
      String name,
      int contexts,
      int queueEntries,
      int depth,
      Optional<SchedulingPolicy> policy,
      MonotonicClock clock,
      Consumer<String> gaveUp) {
    this.name = name;
    fence = new FenceDevice(name, 0);
    members = new GroupMembers(clock);
    int most = AccelLimits.DEFAULT.maxInFlight();
    MemorySegment commands = Arena.ofAuto().allocate((long) queueEntries * SLOT_BYTES, PAGE);
    arena = new CommandArena(commands.byteSize());
    seats = new ContextSeat[contexts];
    bell = new Bell(new Doorbell(Arena.ofAuto().allocate(PAGE, PAGE)));
    completions = new CompletionRing(DevicePort.MAX_INFLIGHT, bell);
    scheduler =
        new DeviceScheduler(
            name, contexts, DevicePort.MAX_INFLIGHT, HostGroups.PROCESSES, clock.nanoTime());
    machine = new DeviceMachine(contexts, DevicePort.MAX_INFLIGHT, scheduler);
    hostGroups = new HostGroups(contexts, scheduler, machine.inFlight(), Math.max(most, depth));
    starts = new StartTimes(DevicePort.MAX_INFLIGHT);
    watchdog = new Watchdog(contexts, machine.inFlight(), starts);
    PartialFailures failures =
        new PartialFailures(
            machine,
            contexts,
            Runnable::run,
            id -> Optional.empty(),
            new KeptWork(commands, machine));
    agent =
        new DeviceAgent(
            name,
            commands,
            machine,
            completions,
            new ControlQueue(
                bell, AccelLimits.DEFAULT::controlTimeoutMs, cause -> gaveUp.accept(cause.text())),
            watchdog,
            new Escalation(
                machine,
                watchdog,
                clock,
                failures,
                AccelLimits.DEFAULT::hangGraceMs,
                cause -> gaveUp.accept(cause.text()),
                hostGroups,
                (group, cause) -> gaveUp.accept(cause.text())),
            failures,
            new WaitRelease(commands, machine, fence),
            clock,
            cause -> gaveUp.accept(cause.text()),
            hostGroups,
            (group, cause) -> gaveUp.accept(cause.text()),
            scheduler,
            // the log is for administrators
            new Overruns(name, machine, scheduler, watchdog, task -> {}));
    agent.onStart();
    ending = new WorkEnding(machine, agent, completions);
    scheduler.choose(
        new SchedulingChoice(policy, depth == 0 ? Optional.empty() : Optional.of(depth)));
    hostGroups.settle();
  }

  /** Where the device's completions go. */
  public CompletionSink completions() {
    return completions;
  }

  /** The device tells that work has begun. */
  public void started(long tag, long ns) {
    starts.started(tag, ns);
  }

  /** Decisions; to be read between cycles, and not changed. */
  public SchedulingCore scheduler() {
    return scheduler.core();
  }

  /** Gets all that happens in the scheduler from now on; decisions are made without leases then. */
  public void setJournal(Journal journal) {
    scheduler.core().setJournal(journal);
  }

  /** Name of a group by the number that a journal has for it; empty where there is none. */
  public Optional<String> groupName(int number) {
    return scheduler.groupName(number);
  }

  /** These groups from now on; they must be admitted. */
  public void apply(AccelGroups groups) {
    scheduler.apply(groups);
    hostGroups.settle();
  }

  /** Work goes to that device from now on, which has nothing of it. */
  public void online(AccelDevice now) {
    device =
        new OpenDevice(
            now,
            1,
            new InlineLane(),
            now.info(),
            Optional.empty(),
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    agent.setDevice(device);
    for (ContextSeat seat : seats()) {
      if (seat.bind(device)) {
        seat.resume();
      }
    }
  }

  /** The device is gone: what was in flight ends with EINTR, what was pending too or is kept. */
  public void crash() {
    List<ContextSeat> living = seats();
    living.forEach(ContextSeat::interrupt);
    agent.setDevice(null);
    var ignored = ending.fail(living, false);
  }

  private List<ContextSeat> seats() {
    List<ContextSeat> all = new ArrayList<>();
    for (ContextSeat seat : seats) {
      if (seat != null) {
        all.add(seat);
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
  public int open(String group, ContextSpec spec) {
    int c = 0;
    while (seats[c] != null) {
      if (++c == seats.length) {
        throw new IllegalStateException("all " + c + " contexts are taken");
      }
    }
    long offset = arena.take((long) spec.queueDepth() * SLOT_BYTES);
    FenceOwner owner = new FenceOwner(group, fence, by -> {});
    PointTimeline timeline =
        new PointTimeline(Ids.of(Ids.TIMELINE, 1, c), bell, owner, spec.queueDepth());
    ContextQueue queue =
        new ContextQueue(
            Ids.of(Ids.CONTEXT, ++opened, c), timeline, offset, SLOT_BYTES, spec.queueDepth());
    ContextSeat seat = new ContextSeat(null, device, null, member(group, spec), c, offset, queue);
    seats[c] = seat;
    hostGroups.set(c, null);
    machine.onOpen(c, seat.scheduling(), ContextState.stampOf(seat.word()), queue);
    hostGroups.settle();
    watchdog.onOpen(c, TimeUnit.MICROSECONDS.toNanos(seat.executionLimitUs()));
    boolean ignored = seat.opened(device);
    return c;
  }

  private Membership member(String group, ContextSpec spec) {
    return new Membership(
        members,
        name,
        new VirtualGrant(group),
        spec,
        Objects.requireNonNull(spec.priority()),
        ContextRules.guarantee(spec));
  }

  /** Its id, of which the low half is its index. */
  public long contextId(int c) {
    return seats[c].id();
  }

  /** Of the first entry of its queue; entries are used in turn. */
  public long offset(int c) {
    return seats[c].offset();
  }

  /** Whether the context takes a submission: it is there, and its queue has room. */
  public boolean takes(int c) {
    PointTimeline timeline = seats[c].queue().timeline;
    return seats[c].usable()
        && timeline.submitted() - timeline.recorded() < seats[c].queue().depth();
  }

  /** Submissions so far. */
  public long submitted(int c) {
    return seats[c].queue().timeline.submitted();
  }

  /** Makes the next submission, which the context must take. */
  public void submit(int c) {
    ContextSeat seat = seats[c];
    long point = seat.queue().timeline.submitted() + 1;
    seat.queue().describe(point, SLOT_BYTES, 0, ContextState.stampOf(seat.word()), false);
    seat.queue().timeline.publish(point);
  }

  /** All submissions up to this one have ended. */
  public long ended(int c) {
    return seats[c].queue().timeline.recorded();
  }

  /** How one of the newest ended: 0, or a negated code. */
  public int status(int c, long point) {
    return seats[c].queue().timeline.status(point);
  }

  /** The context starts nothing more; what it has in flight goes on. */
  public void close(int c) {
    var ignored = seats[c].close();
    ending.close(seats[c], -Errno.ECLOSED);
    agent.publish();
  }

  /** Whether it has something pending that only the scheduler keeps from starting. */
  public boolean isStartable(int c) {
    return machine.pending().isStartable(c);
  }

  /** Whether it has nothing in flight. */
  public boolean isDrained(int c) {
    return machine.inFlight().running(c) == 0;
  }

  /** Ends what is left of a context that is closed. */
  public void forget(int c) {
    ending.forget(seats[c], -Errno.ECLOSED);
  }

  /** Its index is free again. */
  public void release(int c) {
    arena.give(seats[c].offset(), (long) seats[c].queue().depth() * SLOT_BYTES);
    seats[c] = null;
  }

  /** A duty cycle of the agent; returns how much it did. */
  public int cycle() {
    return agent.doWork();
  }

  /** After a cycle without work: when the next one is due if nothing happens before. */
  public long sleepNs() {
    return agent.maxSleepNs();
  }
}
