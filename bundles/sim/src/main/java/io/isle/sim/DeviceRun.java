package io.isle.sim;

import io.isle.api.accel.ContextSpec;
import io.isle.api.device.Priority;
import io.isle.core.accel.group.AccelGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** A device, its agent and its contexts in the simulation. */
final class DeviceRun implements SimulatedDevice.World {
  /** Cycles at one time, after which the agent is thought never to come to rest. */
  private static final int MOST_CYCLES = 1_000_000;

  private static final int COMMAND_BYTES = 256;

  private final Scenario.Device spec;
  private final VirtualTime time;
  private final VirtualDataPlane plane;
  private final Randomness random;
  private final EventQueue.Timer wake = new EventQueue.Timer(this::touched);

  /** By index of the context; null where there is none. */
  private final TenantRun[] tenants;

  private final List<TenantRun> open = new ArrayList<>();
  private final List<TenantRun> closing = new ArrayList<>();
  private SimulatedDevice device;
  private boolean touched;
  private TenantRun opening;
  private long ranBefore;

  DeviceRun(Scenario.Device spec, VirtualTime time, long seed, int contexts, int queueEntries) {
    this.spec = spec;
    random = new Randomness(seed, spec.id());
    this.time = time;
    tenants = new TenantRun[contexts];
    plane =
        new VirtualDataPlane(
            spec.id(),
            contexts,
            queueEntries,
            spec.depth(),
            spec.policy(),
            time::clockNs,
            this::gaveUp);
    recover();
  }

  Scenario.Device spec() {
    return spec;
  }

  VirtualDataPlane plane() {
    return plane;
  }

  /** Contexts that take work, oldest first. */
  List<TenantRun> open() {
    return open;
  }

  void recover() {
    if (device == null) {
      device = new SimulatedDevice(spec, this, plane.completions(), random);
      plane.online(device);
      touched = true;
    }
  }

  /** A device that does all that it is asked for is given up for a mistake of the simulation. */
  private void gaveUp(String why) {
    throw new IllegalStateException(spec.id() + " was given up by its scheduler: " + why);
  }

  /** The device crashes; nothing if it is gone already. */
  void lose() {
    if (device != null) {
      ranBefore += device.busyNs();
      device.crash();
      device = null;
      plane.crash();
      touched = true;
    }
  }

  boolean isLost() {
    return device == null;
  }

  void apply(AccelGroups groups) {
    plane.apply(groups);
    touched = true;
  }

  void open(TenantRun tenant, Priority priority) {
    Scenario.Tenant s = tenant.spec();
    ContextSpec wanted =
        new ContextSpec(
            s.name(),
            priority,
            0,
            OptionalLong.of(TimeUnit.NANOSECONDS.toMicros(s.limitNs())),
            s.guarantee().map(g -> g.quotaUs()).orElse(0L),
            s.guarantee().map(g -> g.periodUs()).orElse(0L),
            s.queue(),
            COMMAND_BYTES,
            s.keepPending());
    opening = tenant;
    int c = plane.open(s.group(), wanted);
    opening = null;
    tenants[c] = tenant;
    tenant.opened(plane, c, priority);
    open.add(tenant);
    touched = true;
  }

  /** It takes no more work; what it has in flight ends first. */
  void close(TenantRun tenant) {
    if (open.remove(tenant)) {
      closing.add(tenant);
      plane.close(tenant.index());
      touched = true;
    }
  }

  @Override
  public void touched() {
    touched = true;
  }

  /**
   * Lets the agent and the tenants do all that they can at this time.
   *
   * @return false when nothing has happened
   */
  boolean settle() {
    if (!touched) {
      return false;
    }
    int cycles = 0;
    do {
      touched = false;
      while (plane.cycle() > 0) {
        if (++cycles > MOST_CYCLES) {
          throw new IllegalStateException(spec.id() + ": the device's agent does not come to rest");
        }
      }
      if (collect() > 0) {
        touched = true;
      }
    } while (touched);
    long sleep = plane.sleepNs();
    if (sleep == Long.MAX_VALUE) {
      events().cancel(wake);
    } else {
      events().set(wake, Math.addExact(nowNs(), Math.max(1, sleep)));
    }
    return true;
  }

  private int collect() {
    int count = 0;
    for (int i = 0; i < open.size(); i++) {
      TenantRun tenant = open.get(i);
      int ended = tenant.collect(nowNs());
      count += ended == 0 ? 0 : time.tenants().ended(tenant, ended);
      count += tenant.refill(nowNs());
    }
    for (int i = closing.size() - 1; i >= 0; i--) {
      TenantRun tenant = closing.get(i);
      int ignored = tenant.collect(nowNs());
      if (plane.isDrained(tenant.index())) {
        closing.remove(i);
        int c = tenant.index();
        tenant.closes();
        plane.forget(c);
        ignored = tenant.collect(nowNs());
        tenant.closed();
        tenants[c] = null;
        plane.release(c);
        time.tenants().gone(tenant);
        count++;
      }
    }
    return count;
  }

  /** Whether the device is there and has nothing. */
  boolean isResting() {
    return device != null && device.isEmpty();
  }

  /** Whether the device is there and something more would begin there at once. */
  boolean hasFreeEngine() {
    return device != null && device.hasFreeEngine();
  }

  /** Time that the device's engines ran, of all together. */
  long ranNs() {
    return ranBefore + (device == null ? 0 : device.busyNs());
  }

  /** What of a tenant's work runs now has run. */
  long runningNs(TenantRun tenant) {
    return device == null || !tenant.isOpen() ? 0 : device.runningNs(tenant.contextId());
  }

  /** The tenant at an index, or the one that is about to have it; null where there is none. */
  TenantRun tenant(int c) {
    return tenants[c] == null ? opening : tenants[c];
  }

  @Override
  public long nowNs() {
    return time.nowNs();
  }

  @Override
  public long clockNs() {
    return time.clockNs();
  }

  @Override
  public EventQueue events() {
    return time.events();
  }

  @Override
  public Work work(long context, long offset) {
    return tenants[(int) context].work(offset);
  }

  @Override
  public void began(long tag) {
    plane.started(tag, clockNs());
  }
}
