package io.isle.sim;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A device as the scenario says: runs so many submissions side by side, the others wait in it in
 * order. It does nothing by itself: completions come when the simulation's time is there.
 */
final class SimulatedDevice extends BareDevice {
  private static final int EXECUTION_TIMEOUT = 2;
  private static final int COMMAND_BYTES = 65_536;

  /** What the device has of its surroundings. */
  interface World {
    /** Virtual time. */
    long nowNs();

    /** What the platform's clock shows then. */
    long clockNs();

    Agenda agenda();

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
  private final Engine[] engines;
  private final ArrayDeque<Taken> waiting = new ArrayDeque<>();
  private long busyNs;

  /** Times that were drawn. */
  private long stalls;

  private boolean gone;

  /** A submission that the device has. */
  private record Taken(Work work, long tag) {}

  private final Randomness random;

  SimulatedDevice(Scenario.Device spec, World world, CompletionSink sink, Randomness random) {
    this.spec = spec;
    this.random = random;
    this.world = world;
    this.sink = sink;
    engines = new Engine[spec.parallel()];
    for (int i = 0; i < engines.length; i++) {
      engines[i] = new Engine();
    }
  }

  /** Runs one submission at a time. */
  private final class Engine {
    private final Agenda.Timer timer = new Agenda.Timer(this::end);
    private Taken taken;
    private long beganAt;

    /** How long it will take from there, if nothing stops it, and how much of that is work. */
    private long lastsNs;

    private long workNs;

    /** It leaves before its end; then how far it came, and as what it ends. */
    private boolean leaves;

    private long progress;
    private int status;
    private int detail;

    void begin(Taken next) {
      taken = next;
      beganAt = world.nowNs();
      leaves = false;
      status = CompletionSink.SUCCESS;
      detail = 0;
      next.work().begin(beganAt);
      world.began(next.tag());
      workNs = next.work().leftNs();
      lastsNs = workNs + random.draw(spec.stall(), stalls++);
      world.agenda().set(timer, beganAt + lastsNs);
    }

    /** Work since it began: stalls are spread evenly over it. */
    long ranNs() {
      long passed = world.nowNs() - beganAt;
      return passed >= lastsNs || lastsNs == workNs
          ? passed - (lastsNs - workNs)
          : (long) ((double) passed * workNs / lastsNs);
    }

    private long lastsNs(long work) {
      return lastsNs == workNs ? work : (long) Math.ceil((double) work * lastsNs / workNs);
    }

    private void end() {
      Taken over = taken;
      taken = null;
      long ran = ranNs();
      busyNs += ran;
      Work work = over.work();
      if (leaves) {
        work.leave(progress, world.nowNs() - beganAt, detail == -Errno.ERESTART);
      } else if (status == CompletionSink.SUCCESS && work.fails()) {
        status = CompletionSink.ERROR;
      }
      work.tenant().ran(ran);
      complete(
          over.tag(),
          status,
          world.clockNs() - (world.nowNs() - beganAt),
          ran * spec.units() / spec.parallel(),
          detail);
      Taken next = waiting.poll();
      if (next != null) {
        begin(next);
      }
    }

    /** At the next point of its own time where it can. */
    void leave(int asStatus, int asDetail) {
      long ran = ranNs();
      long step = spec.checkIntervalNs();
      long check = (ran + step - 1) / step * step;
      if (leaves || check >= taken.work().leftNs()) {
        return;
      }
      leaves = true;
      progress = check;
      status = asStatus;
      detail = asDetail;
      world.agenda().set(timer, beganAt + lastsNs(check) + spec.preemptNs());
    }

    /** As the platform counts: time on an engine, over all stretches. */
    boolean isOverLimit() {
      Work work = taken.work();
      return work.ranNs() + world.nowNs() - beganAt >= work.tenant().limitNs();
    }

    /** It goes on, and its end is that of one over its limit. */
    void timeOut() {
      if (!leaves) {
        status = CompletionSink.TIMEOUT;
        detail = -Errno.ETIMEDOUT;
      }
    }
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    if (gone) {
      return -Errno.ENODEV;
    }
    Taken next = new Taken(world.work(context, offset), tag);
    for (Engine engine : engines) {
      if (engine.taken == null) {
        engine.begin(next);
        return 0;
      }
    }
    waiting.add(next);
    return 0;
  }

  private void complete(long tag, int status, long startNs, long busy, int detail) {
    int ignored = sink.complete(tag, status, startNs, world.clockNs(), busy, detail);
    world.touched();
  }

  @Override
  public int preempt(long context, int reason) {
    if (reason == EXECUTION_TIMEOUT) {
      return timeOut(context);
    }
    if (canLeave()) {
      int detail = spec.resumes() ? -Errno.ERESTART : 0;
      for (Engine engine : engines) {
        if (engine.taken != null && engine.taken.work().context() == context) {
          engine.leave(CompletionSink.PREEMPTED, detail);
        }
      }
    }
    for (int i = waiting.size(); i > 0; i--) {
      Taken taken = waiting.poll();
      if (taken.work().context() == context) {
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
      if (engine.taken != null
          && engine.taken.work().context() == context
          && engine.isOverLimit()) {
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
      if (engine.taken != null) {
        busyNs += engine.ranNs();
        engine.taken.work().tenant().ran(engine.ranNs());
        engine.taken = null;
        world.agenda().cancel(engine.timer);
      }
    }
  }

  /** Whether it has nothing. */
  boolean isEmpty() {
    return waiting.isEmpty() && Arrays.stream(engines).allMatch(engine -> engine.taken == null);
  }

  /** Whether one more would begin at once. */
  boolean hasFreeEngine() {
    return Arrays.stream(engines).anyMatch(engine -> engine.taken == null);
  }

  /** Time that its engines ran, of all together. */
  long busyNs() {
    long sum = busyNs;
    for (Engine engine : engines) {
      sum += engine.taken == null ? 0 : engine.ranNs();
    }
    return sum;
  }

  /** As {@link #busyNs}, of one context's work that runs now. */
  long runningNs(long context) {
    long sum = 0;
    for (Engine engine : engines) {
      if (engine.taken != null && engine.taken.work().context() == context) {
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
    reset(taken -> taken.work().context() == context);
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
      if (engine.taken != null && which.test(engine.taken)) {
        engine.leaves = true;
        engine.progress = 0;
        engine.status = CompletionSink.ERROR;
        engine.detail = 0;
        world.agenda().cancel(engine.timer);
        engine.end();
      }
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
