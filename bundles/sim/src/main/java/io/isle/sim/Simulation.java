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
  private final Map<String, PlaceRun> places = new LinkedHashMap<>();
  private final Map<String, TenantRun> tenants = new LinkedHashMap<>();
  private final Map<TenantRun, Workload> workloads = new LinkedHashMap<>();
  private final GroupsRun groups;
  private long submissions;
  private long waiting;
  private Consumer<PlaceRun> settled = place -> {};

  /**
   * @param events null for none
   */
  Simulation(Scenario scenario, EventLog events) {
    this.scenario = scenario;
    time.tell(this);
    for (Scenario.Device device : scenario.devices()) {
      places.put(device.id(), place(device));
    }
    for (Scenario.Tenant tenant : scenario.tenants()) {
      PlaceRun place = place(tenant);
      TenantRun run = new TenantRun(tenant, time, scenario.seed(), place.spec().failures());
      tenants.put(tenant.name(), run);
      workloads.put(run, new Workload(run, place, time));
    }
    groups = new GroupsRun(scenario, time, places.values(), tenants.values());
    for (PlaceRun place : places.values()) {
      // always one, for without there are leases, and the figures would be others with --events
      place.place().setJournal(events == null ? EventLog.NOTHING : events.of(place, time));
    }
  }

  private PlaceRun place(Scenario.Device device) {
    List<Scenario.Tenant> own =
        scenario.tenants().stream().filter(t -> t.device().equals(device.id())).toList();
    int entries = own.stream().mapToInt(Scenario.Tenant::queue).sum();
    return new PlaceRun(
        device, time, scenario.seed(), Math.max(1, own.size()), Math.max(2, entries));
  }

  private PlaceRun place(Scenario.Tenant tenant) {
    return places.get(tenant.device());
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
    Agenda agenda = time.agenda();
    while (agenda.next() <= ns) {
      time.at(Math.max(time.nowNs(), agenda.next()));
      while (agenda.next() <= time.nowNs()) {
        agenda.run();
      }
      while (settle() > 0) {
        // what ends on one device may be the last of a group, which matters to all
      }
    }
    time.at(ns);
    places.values().forEach(place -> place.place().scheduler().at(time.clockNs()));
  }

  /** Returns how many devices something has happened on. */
  private int settle() {
    int count = 0;
    for (PlaceRun place : places.values()) {
      if (place.settle()) {
        settled.accept(place);
        count++;
      }
    }
    return count;
  }

  private void at(long ns, Runnable action) {
    time.agenda().set(new Agenda.Timer(action), ns);
  }

  private void act(Scenario.Step step) {
    switch (step) {
      case Scenario.Step.SetGroup set -> groups.set(set);
      case Scenario.Step.RemoveGroup remove -> groups.remove(remove).forEach(this::close);
      case Scenario.Step.Open open -> open(tenants.get(open.context()), open.at());
      case Scenario.Step.Close close -> close(tenants.get(close.context()));
      case Scenario.Step.Lose lose -> places.get(lose.device()).lose();
      case Scenario.Step.Recover recover -> places.get(recover.device()).recover();
      case Scenario.Step.Jump jump -> {
        time.jump(jump.byNs());
        places.values().forEach(PlaceRun::touched);
      }
    }
  }

  private void open(TenantRun tenant, Field at) {
    PlaceRun place = place(tenant.spec());
    if (tenant.isOpen()) {
      throw at.refused("context " + tenant.spec().name() + " is open, or still ending its work");
    }
    if (place.isLost()) {
      throw at.refused(place.spec().id() + " recovers; try again in a moment");
    }
    place.open(tenant, groups.admit(tenant, at));
    workloads.get(tenant).begin();
  }

  private void close(TenantRun tenant) {
    workloads.get(tenant).end();
    place(tenant.spec()).close(tenant);
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
  void onSettled(Consumer<PlaceRun> observer) {
    settled = observer;
  }

  VirtualTime time() {
    return time;
  }

  GroupsRun groups() {
    return groups;
  }

  List<PlaceRun> places() {
    return new ArrayList<>(places.values());
  }

  List<TenantRun> tenants() {
    return new ArrayList<>(tenants.values());
  }

  PlaceRun placeOf(TenantRun tenant) {
    return place(tenant.spec());
  }

  Scenario scenario() {
    return scenario;
  }
}
