package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.AccelDevice;
import io.isle.lib.agent.Agent;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * The duty cycle of one device: control operations, new submissions, completions, waits, dispatch;
 * then timelines advance and sleepers are woken. All fields are the agent's own but the control
 * queue. No allocation, exception, look-up or log between submission and completion.
 */
final class DeviceAgent implements Agent {
  private static final int COMPLETION_BATCH = 256;

  private final String name;
  private final DeviceMachine machine;
  private final Dispatcher dispatcher;
  private final CompletionRing completions;
  private final ControlQueue control;
  private final MonotonicClock clock;
  private final Consumer<String> failed;

  /**
   * @param failed told once why an open device can do no more; posts, never blocks
   */
  DeviceAgent(
      String name,
      MemorySegment commands,
      DeviceMachine machine,
      CompletionRing completions,
      ControlQueue control,
      MonotonicClock clock,
      Consumer<String> failed) {
    this.name = name;
    this.machine = machine;
    this.dispatcher = new Dispatcher(commands, machine, completions, clock, failed);
    this.completions = completions;
    this.control = control;
    this.clock = clock;
    this.failed = failed;
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
    if (machine.waiting().size() > 0) {
      work += releaseWaits();
    }
    work += dispatcher.dispatch();
    publish();
    return work;
  }

  @Override
  public long maxSleepNs() {
    return dispatcher.isFull() ? Dispatcher.RETRY_NS : Long.MAX_VALUE;
  }

  @Override
  public void onFailure(Throwable cause) {
    setDevice(null);
    control.close();
    failed.accept("its agent failed: " + cause);
  }

  @Override
  public void onStop() {
    control.close();
  }

  /** Control operation: data calls go to {@code opened} from now on, or to none. */
  void setDevice(AccelDevice opened) {
    dispatcher.setDevice(opened);
  }

  /** Control operation: ends all that is pending or in flight with EINTR and forgets contexts. */
  void loseDevice() {
    setDevice(null);
    takeCompletions(Integer.MAX_VALUE);
    drainSubmissions();
    ContextSet contexts = machine.contexts();
    for (int i = 0; i < contexts.size(); i++) {
      machine.onClose(contexts.get(i), -Errno.EINTR);
    }
    abandon(-1, -Errno.EINTR);
    publish();
    while (contexts.size() > 0) {
      machine.onForget(contexts.get(0));
    }
  }

  /** Control operation: ends what is left of a context with {@code code} and forgets it. */
  void forgetContext(int c, int code) {
    takeCompletions(Integer.MAX_VALUE);
    machine.onSubmit(c, machine.queue(c).timeline.submitted());
    machine.onClose(c, code);
    abandon(c, code);
    publish();
    machine.onForget(c);
  }

  private void abandon(int only, int code) {
    InFlightTable inFlight = machine.inFlight();
    for (int i = 0; i < inFlight.capacity(); i++) {
      int c = inFlight.context(i);
      if (c >= 0 && (only < 0 || only == c)) {
        machine.onAbandon(i, code, !completions.disarm(i, inFlight.tag(i)));
      }
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
    int index = completions.take();
    long now = index >= 0 ? clock.nanoTime() : 0;
    while (index >= 0) {
      long end = CompletionCodes.clampTime(completions.endNs(index), now);
      long start = CompletionCodes.clampTime(completions.startNs(index), end);
      machine.onComplete(
          machine.inFlight().tag(index),
          CompletionCodes.ofStatus(completions.status(index)),
          start,
          end,
          Math.max(0, completions.busyNs(index)),
          completions.detail(index),
          now);
      taken++;
      index = taken < limit ? completions.take() : -1;
    }
    if (taken > 0) {
      dispatcher.completed();
    }
    return taken;
  }

  private int releaseWaits() {
    ContextSet waiting = machine.waiting();
    int released = 0;
    for (int i = waiting.size() - 1; i >= 0; i--) {
      int c = waiting.get(i);
      if (machine.queue(c).waitsOver(machine.head(c))) {
        machine.onPoint(c);
        released++;
      }
    }
    return released;
  }

  /** Makes ended points visible, then wakes whoever waits for them. */
  private void publish() {
    ContextSet touched = machine.touched();
    int count = touched.size();
    if (count == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      int c = touched.get(i);
      machine.queue(c).timeline.advance(machine.ended(c));
    }
    // Sleepers register, then look at the timeline; we advance it, then look for sleepers.
    VarHandle.fullFence();
    for (int i = 0; i < count; i++) {
      int c = touched.get(i);
      machine.queue(c).wake(machine.ended(c));
    }
    touched.clear();
  }
}
