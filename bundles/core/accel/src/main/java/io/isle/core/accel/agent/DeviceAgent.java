package io.isle.core.accel.agent;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.machine.ContextSet;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.machine.HostGroups;
import io.isle.core.accel.machine.InFlightTable;
import io.isle.core.accel.machine.Watchdog;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.lib.agent.Agent;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The duty cycle of one device: control operations, new submissions, completions, waits, dispatch;
 * then timelines advance and sleepers are woken. All fields are the agent's own but the control
 * queue. No allocation, exception, look-up or log between submission and completion. What a call of
 * the driver throws ends the device, and anything else that is thrown the agent: both are told, and
 * the device is opened anew, with a new agent.
 */
public final class DeviceAgent implements Agent {
  private static final int COMPLETION_BATCH = 256;

  /** Cycles with work between two looks at the watchdog; without work it is every cycle. */
  private static final int WATCH_MASK = 63;

  private final String name;
  private final DeviceMachine machine;
  private final Dispatcher dispatcher;
  private final CompletionRing completions;
  private final ControlQueue control;
  private final MonotonicClock clock;
  private final Watchdog watchdog;
  private final Escalation escalation;
  private final PartialFailures failures;
  private final WaitRelease waits;
  private final Consumer<RecoveryCause> failed;
  private final HostGroups groups;
  private final BiConsumer<String, RecoveryCause> groupFailed;
  private final DeviceScheduler scheduler;
  private final Preemptions preemptions;
  private final Publisher publisher;
  private final Overruns overruns;
  private final WorkErrors errors;
  private int cycles;
  private long now;
  private long began;
  private CountDownLatch drained;

  /**
   * What the agent serves.
   *
   * @param name of its thread, and for messages
   * @param commands the command segment
   * @param bell what the agent sleeps on
   * @param fence the device's part in fences
   */
  public record Device(String name, MemorySegment commands, Bell bell, FenceDevice fence) {}

  /**
   * Who hears of what is wrong. None of them blocks.
   *
   * @param failed told once why an open device can do no more
   * @param groupFailed told why the process of a group can do no more
   * @param workErrors told, in the background, of work that ended with an error of its driver
   */
  public record Listeners(
      Consumer<RecoveryCause> failed,
      BiConsumer<String, RecoveryCause> groupFailed,
      WorkErrorListener workErrors) {}

  /** Where others hand something to the agent. */
  record Inlets(CompletionRing completions, ControlQueue control) {}

  /** What knows which work there is, and decides what comes next. */
  record Machinery(
      DeviceMachine machine, DeviceScheduler scheduler, HostGroups groups, Watchdog watchdog) {}

  /** What acts on work that hangs, fails or takes too long. */
  record Guards(
      Escalation escalation, PartialFailures failures, Overruns overruns, WorkErrors errors) {}

  DeviceAgent(
      Device device,
      MonotonicClock clock,
      Inlets inlets,
      Machinery machinery,
      Guards guards,
      Listeners listeners) {
    this.name = device.name();
    this.clock = clock;
    this.completions = inlets.completions();
    this.control = inlets.control();
    this.machine = machinery.machine();
    this.scheduler = machinery.scheduler();
    this.groups = machinery.groups();
    this.watchdog = machinery.watchdog();
    this.escalation = guards.escalation();
    this.failures = guards.failures();
    this.overruns = guards.overruns();
    this.errors = guards.errors();
    this.failed = listeners.failed();
    this.groupFailed = listeners.groupFailed();
    this.dispatcher =
        new Dispatcher(device.commands(), machine, completions, watchdog, failures, errors, failed);
    this.preemptions = new Preemptions(machine, scheduler, failed);
    this.publisher = new Publisher(machine.endings());
    this.waits = new WaitRelease(device.commands(), machine, device.fence());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void onStart() {
    completions.setAgent(Thread.currentThread());
  }

  @Override
  public int doWork() {
    if (machine.inFlight().size() > 0) {
      // before the look at the clock, so that what it brings has ended by then
      dispatcher.poll(COMPLETION_BATCH);
    }
    look();
    began = now;
    int work = control.run();
    if (work > 0) {
      look();
    }
    work += drainSubmissions();
    if (machine.inFlight().size() > 0) {
      work += takeCompletions(COMPLETION_BATCH);
    }
    work += waits.run(now);
    machine.endDelays(now);
    work += dispatcher.dispatch(now);
    work += publish();
    preemptions.run(now);
    failures.run();
    if (machine.inFlight().size() > 0 && (work == 0 || (++cycles & WATCH_MASK) == 0)) {
      escalation.run(now);
    }
    if (drained != null && machine.inFlight().size() == 0) {
      drained.countDown();
      drained = null;
    }
    return work;
  }

  @Override
  public long cycleNs() {
    return began;
  }

  /** Completions are looked for only while some are due. */
  @Override
  public boolean isListening() {
    return machine.inFlight().size() > 0;
  }

  @Override
  public boolean isPrompt() {
    return groups.isShallow();
  }

  @Override
  public long maxSleepNs() {
    if (dispatcher.asksAgain(now)) {
      return Dispatcher.RETRY_NS;
    }
    long next = Math.min(machine.nextDelayEnd(), preemptions.next());
    next = Math.min(next, waits.next());
    if (dispatcher.hasDevice() && machine.hasRoom()) {
      next = Math.min(next, scheduler.nextTimer());
    }
    long sleep = next == Long.MAX_VALUE ? next : Math.max(0, next - now);
    return machine.inFlight().size() > 0 ? Math.min(sleep, escalation.maxSleepNs(now)) : sleep;
  }

  @Override
  public void onFailure(Throwable cause) {
    try {
      control.close(() -> setDevice(null));
    } finally {
      failed.accept(
          new RecoveryCause(RecoveryCause.Kind.EXCEPTION, "the device's agent failed: " + cause));
    }
  }

  @Override
  public void onStop() {
    control.close();
  }

  /** Control operation: data calls go to {@code opened} from now on, or to none. */
  public void setDevice(OpenDevice opened) {
    dispatcher.setDevice(opened == null ? null : opened.device());
    preemptions.setDevice(opened);
    if (opened != null) {
      scheduler.setDevice(opened.info());
      groups.settle();
    }
    escalation.setDevice(opened);
    failures.setDevice(opened);
    waits.setDevice(opened);
  }

  /** Control operation: takes whatever has come from the device and from tenants. */
  void takeAll() {
    look();
    int ignored = takeCompletions(Integer.MAX_VALUE);
    ignored = drainSubmissions();
  }

  /**
   * Control operation: asks all work to leave the device.
   *
   * @return whether the device can ask it
   */
  public boolean evict() {
    return dispatcher.evict();
  }

  /** Control operation: asks what a context has on the device to leave it. */
  public void evict(int c) {
    dispatcher.evict(c);
  }

  /** Control operation: nothing of the context is left. */
  void forget(int c) {
    failures.onForget(c);
    machine.onForget(c);
    groups.set(c, null);
    groups.settle();
  }

  /** Control operation: what the failures of a context had begun is over with its process. */
  public void forgetFailures(int c) {
    failures.onForget(c);
  }

  /** Control operation: counts down once nothing is in flight. */
  public void whenDrained(CountDownLatch latch) {
    if (machine.inFlight().size() == 0) {
      latch.countDown();
    } else {
      drained = latch;
    }
  }

  /** At the clock. */
  private void look() {
    now = clock.nanoTime();
    machine.at(now);
  }

  private int drainSubmissions() {
    ContextSet contexts = machine.contexts();
    int drained = 0;
    for (int i = 0; i < contexts.size(); i++) {
      int c = contexts.get(i);
      drained += machine.onSubmit(c, machine.queue(c).timeline.submitted());
    }
    return drained;
  }

  private int takeCompletions(int limit) {
    int taken = 0;
    boolean handedBack = false;
    boolean refused = false;
    boolean ended = false;
    int index = completions.take();
    while (index >= 0) {
      if (completions.endNs(index) - now > 0) {
        // of a driver that does not wait to be asked
        now = clock.nanoTime();
      }
      int c = machine.inFlight().context(index);
      boolean asked = machine.inFlight().isAsked(index);
      boolean end = takeCompletion(index);
      // what was asked to leave says nothing about the device
      ended |= end || asked;
      handedBack |= !end && !asked;
      refused |= !end && !asked && isRefusal(c);
      if (end && c >= 0) {
        groups.ended(c);
      }
      taken++;
      index = taken < limit ? completions.take() : -1;
    }
    if (taken > 0) {
      watchdog.onCompletion(now);
      if (ended) {
        dispatcher.completed();
      }
      if (handedBack) {
        dispatcher.rest(now, refused);
      }
    }
    return taken;
  }

  /** Whether the device gave work back, rather than the process of a group, which is counted. */
  private boolean isRefusal(int c) {
    String group = c < 0 ? null : groups.of(c);
    if (group != null && groups.refused(c)) {
      groupFailed.accept(
          group,
          new RecoveryCause(RecoveryCause.Kind.HANG, "the group's driver process accepts no work"));
    }
    return group == null;
  }

  /** A driver says so of its device; of a context that is over, further work will tell. */
  private void gone(int c) {
    String group = c < 0 ? null : groups.of(c);
    if (group != null) {
      groupFailed.accept(
          group,
          new RecoveryCause(
              RecoveryCause.Kind.CRASH, "the driver reports that the device is gone"));
    } else if (c >= 0) {
      dispatcher.gone();
    }
  }

  /** Returns false when it is to start again. */
  private boolean takeCompletion(int index) {
    int status = completions.status(index);
    int detail = completions.detail(index);
    InFlightTable inFlight = machine.inFlight();
    int c = inFlight.context(index);
    long point = inFlight.point(index);
    boolean failed =
        c >= 0 && inFlight.endCode(index) == 0 && CompletionCodes.isError(status, detail);
    if (CompletionCodes.isGone(status, detail)) {
      gone(c);
    } else if (status != CompletionSink.SUCCESS) {
      failures.onCompletion(index, status, detail);
    }
    long end = CompletionCodes.clampTime(completions.endNs(index), now);
    long start = CompletionCodes.clampTime(completions.startNs(index), end);
    long busy = Math.max(0, completions.busyNs(index));
    if (inFlight.endCode(index) == 0 && CompletionCodes.isResumable(status, detail)) {
      machine.departures().onPreempted(index, start, end, busy, now);
      return false;
    }
    int code =
        CompletionCodes.of(status, detail, inFlight.endCode(index), inFlight.isOverdue(index));
    boolean begun = !CompletionCodes.isHandedBack(status, detail);
    if (begun && code == -Errno.EINTR && inFlight.isAsked(index)) {
      preemptions.onLost();
    }
    if (code == -Errno.EINTR && machine.departures().onReturn(index, begun)) {
      return false;
    }
    if (inFlight.isOverdue(index)) {
      overruns.onEnd(index, end - start, now);
    }
    CompletionStatus outcome =
        CompletionCodes.outcome(
            status, detail, code, inFlight.endCode(index), inFlight.isEvicted(index));
    machine
        .departures()
        .onComplete(inFlight.tag(index), code, outcome, start, end, busy, detail, now);
    if (failed) {
      errors.onEnd(machine.queue(c), point, now);
    }
    return true;
  }

  /** Makes ended points visible and wakes whoever waits for them; what is left, returned. */
  public int publish() {
    return publisher.run();
  }
}
