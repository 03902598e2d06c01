package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.AccelDevice;
import io.isle.lib.agent.Agent;
import io.isle.lib.kabi.CommandEnvelope;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * The duty cycle of one device: control operations, new submissions, completions, waits, dispatch;
 * then timelines advance and sleepers are woken. All fields are the agent's own but the control
 * queue. No allocation, exception, look-up or log between submission and completion.
 */
final class DeviceAgent implements Agent {
  private static final int DISPATCH_BATCH = 64;
  private static final int COMPLETION_BATCH = 256;
  private static final long RETRY_NS = 50_000;

  private final String name;
  private final MemorySegment commands;
  private final DeviceMachine machine;
  private final CompletionRing completions;
  private final ControlQueue control;
  private final MonotonicClock clock;
  private final Consumer<String> failed;
  private AccelDevice device;
  private boolean full;
  private boolean unusable;
  private long retryAt;

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
    this.commands = commands;
    this.machine = machine;
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
    if (machine.inFlight() > 0) {
      work += drainCompletions();
    }
    if (machine.waiting().size() > 0) {
      work += releaseWaits();
    }
    work += dispatch();
    publish();
    return work;
  }

  @Override
  public long maxSleepNs() {
    return full ? RETRY_NS : Long.MAX_VALUE;
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
    device = opened;
    full = false;
    unusable = false;
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
    for (int i = 0; i < machine.capacity(); i++) {
      int c = machine.context(i);
      if (c >= 0 && (only < 0 || only == c)) {
        machine.onAbandon(i, code, !completions.disarm(i, machine.tag(i)));
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
    if (device != null && !unusable) {
      try {
        device.poll(COMPLETION_BATCH);
      } catch (RuntimeException | Error e) {
        fail("poll threw " + e);
      }
    }
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
          machine.tag(index),
          CompletionCodes.ofStatus(completions.status(index)),
          start,
          end,
          Math.max(0, completions.busyNs(index)),
          completions.detail(index),
          now);
      full = false;
      taken++;
      index = taken < limit ? completions.take() : -1;
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

  private int dispatch() {
    if (device == null || unusable) {
      return 0;
    }
    if (!machine.hasReady()) {
      return 0;
    }
    long now = clock.nanoTime();
    if (full && now - retryAt < 0) {
      return 0;
    }
    int started = 0;
    while (started < DISPATCH_BATCH) {
      int index = machine.next(now);
      if (index < 0) {
        break;
      }
      int result = start(index);
      if (result == -Errno.EAGAIN) {
        full = true;
        retryAt = now + RETRY_NS;
        break;
      }
      if (unusable) {
        break;
      }
      started++;
    }
    return started;
  }

  private int start(int index) {
    ContextQueue queue = machine.queue(machine.context(index));
    long point = machine.point(index);
    long tag = machine.tag(index);
    long offset = queue.offset(point);
    commands.set(CommandEnvelope.U64, offset + CommandEnvelope.TAG, tag);
    completions.arm(index, tag);
    int result;
    try {
      result = device.submit(queue.contextId, tag, commands, offset, queue.length(point));
    } catch (RuntimeException | Error e) {
      fail("submit threw " + e);
      return 0;
    }
    if (result != 0 && completions.disarm(index, tag)) {
      if (result == -Errno.EAGAIN) {
        machine.onRejected(index);
        return result;
      }
      if (result == -Errno.ENODEV) {
        machine.onRejected(index);
        fail("it takes no more work");
        return result;
      }
      machine.onAbandon(index, CompletionCodes.ofRefusal(result), false);
    }
    return 0;
  }

  private void fail(String why) {
    unusable = true;
    failed.accept(why);
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
