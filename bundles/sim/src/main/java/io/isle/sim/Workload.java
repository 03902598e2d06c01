package io.isle.sim;

/** Makes a tenant's submissions come. */
final class Workload {
  private final TenantRun tenant;
  private final DeviceRun device;
  private final VirtualTime time;
  private final Scenario.Arrivals arrivals;
  private final EventQueue.Timer timer = new EventQueue.Timer(this::due);
  private boolean active;

  /** How often its context has come. */
  private int openings;

  private long beganNs;
  private long count;

  Workload(TenantRun tenant, DeviceRun device, VirtualTime time) {
    this.tenant = tenant;
    this.device = device;
    this.time = time;
    arrivals = tenant.spec().arrivals();
  }

  /** Its context has come. */
  void begin() {
    active = true;
    openings++;
    beganNs = time.nowNs();
    count = 0;
    if (arrivals instanceof Scenario.Arrivals.Closed closed) {
      for (int i = 0; i < closed.count(); i++) {
        tenant.arrive(time.nowNs());
      }
    }
    plan();
  }

  void end() {
    active = false;
    time.events().cancel(timer);
  }

  /** Sets the timer to when the next one comes. */
  private void plan() {
    long next =
        switch (arrivals) {
          case Scenario.Arrivals.Periodic p -> {
            long late = p.jitterNs() == 0 ? 0 : tenant.random().between(0, p.jitterNs());
            yield Math.max(time.nowNs(), beganNs + p.phaseNs() + count * p.periodNs() + late);
          }
          case Scenario.Arrivals.Poisson p ->
              time.nowNs() + tenant.random().exponential(p.meanNs());
          case Scenario.Arrivals.Trace(var times) ->
              count < times.size() ? beganNs + times.get((int) count) : EventQueue.NEVER;
          case Scenario.Arrivals.Flood f -> EventQueue.NEVER;
          case Scenario.Arrivals.Closed c -> EventQueue.NEVER;
        };
    if (next != EventQueue.NEVER) {
      time.events().set(timer, next);
    }
  }

  private void due() {
    count++;
    int burst = arrivals instanceof Scenario.Arrivals.Periodic periodic ? periodic.burst() : 1;
    for (int i = 0; i < burst; i++) {
      tenant.arrive(time.nowNs());
    }
    device.touched();
    plan();
  }

  /** So many have ended; returns how many came at once. */
  int ended(int ends) {
    if (!active || !(arrivals instanceof Scenario.Arrivals.Closed closed)) {
      return 0;
    }
    int atOnce = 0;
    for (int i = 0; i < ends; i++) {
      long think = tenant.random().draw(closed.think(), count++);
      if (think == 0) {
        tenant.arrive(time.nowNs());
        atOnce++;
      } else {
        int opening = openings;
        time.events().set(new EventQueue.Timer(() -> again(opening)), time.nowNs() + think);
      }
    }
    return atOnce;
  }

  private void again(int opening) {
    if (active && opening == openings) {
      tenant.arrive(time.nowNs());
      device.touched();
    }
  }
}
