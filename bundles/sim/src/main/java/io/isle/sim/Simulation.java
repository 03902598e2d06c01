package io.isle.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a scenario from its beginning to its end. */
final class Simulation implements VirtualTime.Tenants {
  /** Submissions, after which a scenario is thought to be a mistake. */
  private static final long MOST_SUBMISSIONS = 200_000_000;

  /** Submissions outside full queues, all of which are kept in memory. */
  private static final long MOST_WAITING = 10_000_000;

  private final Scenario scenario;
  private final VirtualTime time = new VirtualTime();
  private final Map<String, DeviceRun> devices = new LinkedHashMap<>();
  private final Map<String, TenantRun> tenants = new LinkedHashMap<>();
  private final Map<TenantRun, Workload> workloads = new LinkedHashMap<>();
  private final GroupsRun groups;
  private long submissions;
  private long waiting;
  private Consumer<DeviceRun> settled = device -> {};

  /**
   * @param events null for none
   */
  Simulation(Scenario scenario, EventLog events) {
    this.scenario = scenario;
    time.tell(this);
    for (Scenario.Device device : scenario.devices()) {
      devices.put(device.id(), run(device));
    }
    for (Scenario.Tenant tenant : scenario.tenants()) {
      DeviceRun device = device(tenant);
      TenantRun run = new TenantRun(tenant, time, scenario.seed(), device.spec().failures());
      tenants.put(tenant.name(), run);
      workloads.put(run, new Workload(run, device, time));
    }
    groups = new GroupsRun(scenario, time, devices.values(), tenants.values());
    for (DeviceRun device : devices.values()) {
      // always one, for without there are leases, and the figures would be others with --events
      device.plane().setJournal(events == null ? EventLog.NOTHING : events.of(device, time));
    }
  }

  private DeviceRun run(Scenario.Device device) {
    List<Scenario.Tenant> own =
        scenario.tenants().stream().filter(t -> t.device().equals(device.id())).toList();
    int entries = own.stream().mapToInt(Scenario.Tenant::queue).sum();
    return new DeviceRun(
        device, time, scenario.seed(), Math.max(1, own.size()), Math.max(2, entries));
  }

  private DeviceRun device(Scenario.Tenant tenant) {
    return devices.get(tenant.device());
  }

  /**
   * Runs all of it.
   *
   * @throws SimException when something is refused as it would be live
   */
  void run() {
    begin();
    runTo(scenario.durationNs());
    tenants.values().forEach(tenant -> tenant.over(scenario.durationNs()));
  }

  /** The groups and contexts of the beginning come. */
  void begin() {
    groups.begin();
    for (TenantRun tenant : tenants.values()) {
      at(tenant.spec().opensNs(), () -> open(tenant, tenant.spec().at()));
    }
    for (Scenario.Step step : scenario.steps()) {
      at(step.atNs(), () -> act(step));
    }
  }

  /** Goes on until then; after {@link #begin}. */
  void runTo(long ns) {
    EventQueue events = time.events();
    while (events.next() <= ns) {
      time.at(Math.max(time.nowNs(), events.next()));
      while (events.next() <= time.nowNs()) {
        events.run();
      }
      while (settle() > 0) {
        // what ends on one device may be the last of a group, which matters to all
      }
    }
    time.at(ns);
    devices.values().forEach(device -> device.plane().scheduler().at(time.clockNs()));
  }

  /** Returns how many devices something has happened on. */
  private int settle() {
    int count = 0;
    for (DeviceRun device : devices.values()) {
      if (device.settle()) {
        settled.accept(device);
        count++;
      }
    }
    return count;
  }

  private void at(long ns, Runnable action) {
    time.events().set(new EventQueue.Timer(action), ns);
  }

  private void act(Scenario.Step step) {
    switch (step) {
      case Scenario.Step.SetGroup set -> groups.set(set);
      case Scenario.Step.RemoveGroup remove -> groups.remove(remove).forEach(this::close);
      case Scenario.Step.Open open -> open(tenants.get(open.context()), open.at());
      case Scenario.Step.Close close -> close(tenants.get(close.context()));
      case Scenario.Step.Lose lose -> devices.get(lose.device()).lose();
      case Scenario.Step.Recover recover -> devices.get(recover.device()).recover();
      case Scenario.Step.Jump jump -> {
        time.jump(jump.byNs());
        devices.values().forEach(DeviceRun::touched);
      }
    }
  }

  private void open(TenantRun tenant, Field at) {
    DeviceRun device = device(tenant.spec());
    if (tenant.isOpen()) {
      throw at.refused(
          "context " + tenant.spec().name() + " is open, or its work has not ended yet");
    }
    if (device.isLost()) {
      throw at.refused(device.spec().id() + " recovers; try again in a moment");
    }
    device.open(tenant, groups.admit(tenant, at));
    workloads.get(tenant).begin();
  }

  private void close(TenantRun tenant) {
    workloads.get(tenant).end();
    device(tenant.spec()).close(tenant);
  }

  @Override
  public int ended(TenantRun tenant, int count) {
    submissions += count;
    if (submissions > MOST_SUBMISSIONS) {
      throw SimException.failed(
          "more than " + MOST_SUBMISSIONS + " submissions; shorten the duration");
    }
    return workloads.get(tenant).ended(count);
  }

  @Override
  public void waiting(int count) {
    waiting += count;
    if (waiting > MOST_WAITING) {
      throw SimException.failed(
          "more than "
              + MOST_WAITING
              + " submissions wait for room in their queues; shorten the duration");
    }
  }

  @Override
  public void gone(TenantRun tenant) {
    groups.gone(tenant);
  }

  /** Who looks at a device whenever its agent has come to rest. */
  void onSettled(Consumer<DeviceRun> observer) {
    settled = observer;
  }

  VirtualTime time() {
    return time;
  }

  GroupsRun groups() {
    return groups;
  }

  List<DeviceRun> devices() {
    return new ArrayList<>(devices.values());
  }

  List<TenantRun> tenants() {
    return new ArrayList<>(tenants.values());
  }

  DeviceRun deviceOf(TenantRun tenant) {
    return device(tenant.spec());
  }

  Scenario scenario() {
    return scenario;
  }
}
