package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.lib.agent.Agent;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The duty cycle of one device: control operations, new submissions, completions, waits, dispatch;
 * then timelines advance and sleepers are woken. All fields are the agent's own but the control
 * queue. No allocation, exception, look-up or log between submission and completion.
 */
final class DeviceAgent implements Agent {
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
  private final Consumer<RecoveryCause> failed;
  private final HostGroups groups;
  private final BiConsumer<String, RecoveryCause> groupFailed;
  private int cycles;
  private CountDownLatch drained;

  /**
   * @param failed told once why an open device can do no more; posts, never blocks
   * @param groupFailed told why the process of a group can do no more; posts, never blocks
   */
  DeviceAgent(
      String name,
      MemorySegment commands,
      DeviceMachine machine,
      CompletionRing completions,
      ControlQueue control,
      Watchdog watchdog,
      Escalation escalation,
      PartialFailures failures,
      MonotonicClock clock,
      Consumer<RecoveryCause> failed,
      HostGroups groups,
      BiConsumer<String, RecoveryCause> groupFailed) {
    this.name = name;
    this.machine = machine;
    this.dispatcher = new Dispatcher(commands, machine, completions, watchdog, clock, failed);
    this.completions = completions;
    this.control = control;
    this.watchdog = watchdog;
    this.escalation = escalation;
    this.failures = failures;
    this.clock = clock;
    this.failed = failed;
    this.groups = groups;
    this.groupFailed = groupFailed;
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
    int work = control.run();
    work += drainSubmissions();
    if (machine.inFlight().size() > 0) {
      work += drainCompletions();
    }
    if (machine.pending().waiting().size() > 0) {
      work += releaseWaits();
    }
    work += dispatcher.dispatch();
    publish();
    failures.run();
    if (machine.inFlight().size() > 0 && (work == 0 || (++cycles & WATCH_MASK) == 0)) {
      escalation.run();
    }
    if (drained != null && machine.inFlight().size() == 0) {
      drained.countDown();
      drained = null;
    }
    return work;
  }

  @Override
  public long maxSleepNs() {
    return dispatcher.asksAgain()
        ? Dispatcher.RETRY_NS
        : machine.inFlight().size() > 0 ? escalation.maxSleepNs() : Long.MAX_VALUE;
  }

  @Override
  public void onFailure(Throwable cause) {
    setDevice(null);
    control.close();
    failed.accept(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, "its agent failed: " + cause));
  }

  @Override
  public void onStop() {
    control.close();
  }

  /** Control operation: data calls go to {@code opened} from now on, or to none. */
  void setDevice(OpenDevice opened) {
    dispatcher.setDevice(opened == null ? null : opened.device());
    escalation.setDevice(opened);
    failures.setDevice(opened);
  }

  /** Control operation: takes whatever has come from the device and from tenants. */
  void takeAll() {
    int ignored = takeCompletions(Integer.MAX_VALUE);
    ignored = drainSubmissions();
  }

  /**
   * Control operation: asks all work to leave the device.
   *
   * @return whether the device can ask it
   */
  boolean evict() {
    return dispatcher.evict();
  }

  /** Control operation: nothing of the context is left. */
  void forget(int c) {
    failures.onForget(c);
    machine.onForget(c);
    groups.set(c, null);
  }

  /** Control operation: what the failures of a context had begun is over with its process. */
  void forgetFailures(int c) {
    failures.onForget(c);
  }

  /** Control operation: counts down once nothing is in flight. */
  void whenDrained(CountDownLatch latch) {
    if (machine.inFlight().size() == 0) {
      latch.countDown();
    } else {
      drained = latch;
    }
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

  private int drainCompletions() {
    dispatcher.poll(COMPLETION_BATCH);
    return takeCompletions(COMPLETION_BATCH);
  }

  private int takeCompletions(int limit) {
    int taken = 0;
    boolean handedBack = false;
    boolean refused = false;
    boolean ended = false;
    int index = completions.take();
    long now = index >= 0 ? clock.nanoTime() : 0;
    while (index >= 0) {
      int c = machine.inFlight().context(index);
      boolean end = takeCompletion(index, now);
      ended |= end;
      handedBack |= !end;
      refused |= !end && isRefusal(c);
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
          group, new RecoveryCause(RecoveryCause.Kind.HANG, "its process takes no work"));
    }
    return group == null;
  }

  /** A driver says so of its device; of a context that is over, further work will tell. */
  private void gone(int c) {
    String group = c < 0 ? null : groups.of(c);
    if (group != null) {
      groupFailed.accept(
          group,
          new RecoveryCause(RecoveryCause.Kind.CRASH, "its driver says that the device is gone"));
    } else if (c >= 0) {
      dispatcher.gone();
    }
  }

  /** Returns false when it is to start again. */
  private boolean takeCompletion(int index, long now) {
    int status = completions.status(index);
    int detail = completions.detail(index);
    if (CompletionCodes.isGone(status, detail)) {
      gone(machine.inFlight().context(index));
    } else if (status != CompletionSink.SUCCESS) {
      failures.onCompletion(index, status, detail);
    }
    InFlightTable inFlight = machine.inFlight();
    int code =
        CompletionCodes.of(status, detail, inFlight.endCode(index), inFlight.isOverdue(index));
    if (code == -Errno.EINTR
        && machine.onReturn(index, !CompletionCodes.isHandedBack(status, detail))) {
      return false;
    }
    long end = CompletionCodes.clampTime(completions.endNs(index), now);
    long start = CompletionCodes.clampTime(completions.startNs(index), end);
    long busy = Math.max(0, completions.busyNs(index));
    machine.onComplete(inFlight.tag(index), code, start, end, busy, detail, now);
    return true;
  }

  private int releaseWaits() {
    ContextSet waiting = machine.pending().waiting();
    int released = 0;
    for (int i = waiting.size() - 1; i >= 0; i--) {
      int c = waiting.get(i);
      if (machine.queue(c).waitsOver(machine.pending().head(c))) {
        machine.onPoint(c);
        released++;
      }
    }
    return released;
  }

  /** Makes ended points visible, then wakes whoever waits for them. */
  void publish() {
    PointEndings endings = machine.endings();
    ContextSet touched = endings.touched();
    int count = touched.size();
    if (count == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      int c = touched.get(i);
      machine.queue(c).timeline.advance(endings.prefix(c));
    }
    // Sleepers register, then look at the timeline; we advance it, then look for sleepers.
    VarHandle.fullFence();
    for (int i = 0; i < count; i++) {
      int c = touched.get(i);
      machine.queue(c).wake(endings.prefix(c));
    }
    touched.clear();
  }
}
