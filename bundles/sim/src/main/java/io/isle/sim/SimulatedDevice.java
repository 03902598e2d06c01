package io.isle.sim;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.PreemptReason;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A device as the scenario says: runs so many submissions side by side, the others wait in it in
 * order. It does nothing by itself: completions come when the simulation's time is there.
 */
final class SimulatedDevice extends BareDevice {
  private static final int COMMAND_BYTES = 65_536;

  /** What the device has of its surroundings. */
  interface World {
    /** Virtual time. */
    long nowNs();

    /** What the platform's clock shows then. */
    long clockNs();

    EventQueue events();

    /** Work that lies in a context's queue. */
    Work work(long context, long offset);

    /** A submission has begun on the device. */
    void began(long tag);

    /** A completion was made. */
    void touched();
  }

  private final Scenario.Device spec;
  private final World world;
  private final CompletionSink sink;
  private final Randomness random;
  private final Engine[] engines;
  private final ArrayDeque<Taken> waiting = new ArrayDeque<>();
  private long busyNs;

  /** Times that were drawn. */
  private long stalls;

  private boolean gone;

  /** A submission that the device has. */
  record Taken(Work work, long tag) {
    boolean isOf(long context) {
      return work.context() == context;
    }
  }

  SimulatedDevice(Scenario.Device spec, World world, CompletionSink sink, Randomness random) {
    this.spec = spec;
    this.random = random;
    this.world = world;
    this.sink = sink;
    engines = new Engine[spec.parallel()];
    for (int i = 0; i < engines.length; i++) {
      engines[i] = new Engine(spec, world, this);
    }
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    if (gone) {
      return -Errno.ENODEV;
    }
    Taken next = new Taken(world.work(context, offset), tag);
    for (Engine engine : engines) {
      if (engine.isFree()) {
        engine.begin(next);
        return 0;
      }
    }
    waiting.add(next);
    return 0;
  }

  /** How much longer than its work the next one takes. */
  long drawStallNs() {
    return random.draw(spec.stall(), stalls++);
  }

  /** An engine is free again. */
  void ended(Engine engine, long tag, int status, long startNs, long ranNs, int detail) {
    busyNs += ranNs;
    complete(tag, status, startNs, ranNs * spec.units() / spec.parallel(), detail);
    Taken next = waiting.poll();
    if (next != null) {
      engine.begin(next);
    }
  }

  private void complete(long tag, int status, long startNs, long busy, int detail) {
    int ignored = sink.complete(tag, status, startNs, world.clockNs(), busy, detail);
    world.touched();
  }

  @Override
  public int preempt(long context, int reason) {
    if (reason == PreemptReason.EXECUTION_TIMEOUT) {
      return timeOut(context);
    }
    if (canLeave()) {
      int detail = spec.resumes() ? -Errno.ERESTART : 0;
      for (Engine engine : engines) {
        if (engine.isOf(context)) {
          engine.leave(CompletionSink.PREEMPTED, detail);
        }
      }
    }
    for (int i = waiting.size(); i > 0; i--) {
      Taken taken = waiting.poll();
      if (taken.isOf(context)) {
        complete(taken.tag(), CompletionSink.PREEMPTED, 0, 0, -Errno.EAGAIN);
      } else {
        waiting.add(taken);
      }
    }
    return 0;
  }

  private int timeOut(long context) {
    if (spec.preemption() == DeviceInfo.Preemption.NONE) {
      return -Errno.ENOTSUP;
    }
    for (Engine engine : engines) {
      if (engine.isOf(context) && engine.isOverLimit()) {
        if (canLeave()) {
          engine.leave(CompletionSink.PREEMPTED, -Errno.ETIMEDOUT);
        } else {
          engine.timeOut();
        }
      }
    }
    return 0;
  }

  private boolean canLeave() {
    return spec.preemption().compareTo(DeviceInfo.Preemption.DRAW_DISPATCH) >= 0;
  }

  /** It crashes: what it has is gone, and nobody is told. */
  void crash() {
    gone = true;
    waiting.clear();
    for (Engine engine : engines) {
      busyNs += engine.drop();
    }
  }

  /** Whether it has nothing. */
  boolean isEmpty() {
    return waiting.isEmpty() && Arrays.stream(engines).allMatch(Engine::isFree);
  }

  /** Whether one more would begin at once. */
  boolean hasFreeEngine() {
    return Arrays.stream(engines).anyMatch(Engine::isFree);
  }

  /** Time that its engines ran, of all together. */
  long busyNs() {
    long sum = busyNs;
    for (Engine engine : engines) {
      sum += engine.isFree() ? 0 : engine.ranNs();
    }
    return sum;
  }

  /** As {@link #busyNs}, of one context's work that runs now. */
  long runningNs(long context) {
    long sum = 0;
    for (Engine engine : engines) {
      if (engine.isOf(context)) {
        sum += engine.ranNs();
      }
    }
    return sum;
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        DeviceClass.GPU_COMPUTE,
        spec.units(),
        0,
        ScenarioParser.MAX_TENANTS,
        spec.preemption(),
        COMMAND_BYTES,
        0,
        false,
        false,
        false,
        false);
  }

  @Override
  public void destroyContext(long context) {
    resetContext(context);
  }

  @Override
  public void resetContext(long context) {
    reset(taken -> taken.isOf(context));
  }

  @Override
  public void resetDevice() {
    reset(taken -> true);
  }

  /** What waits goes first: an engine that is free takes the next one. */
  private void reset(Predicate<Taken> which) {
    for (int i = waiting.size(); i > 0; i--) {
      Taken taken = waiting.poll();
      if (which.test(taken)) {
        complete(taken.tag(), CompletionSink.ERROR, 0, 0, 0);
      } else {
        waiting.add(taken);
      }
    }
    for (Engine engine : engines) {
      engine.cut(which);
    }
  }

  @Override
  public boolean alive() {
    return !gone;
  }

  @Override
  public void close() {
    crash();
  }
}
