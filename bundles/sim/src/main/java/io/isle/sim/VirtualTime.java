package io.isle.sim;

/** The time that all of a simulation share. */
final class VirtualTime {
  /** Who hears what became of work. */
  interface Tenants {
    /** So many of its submissions have ended; returns how many it made at once. */
    int ended(TenantRun tenant, int count);

    /** So many more wait for room in a queue; negative for fewer. */
    void waiting(int count);

    /** Its context is gone. */
    void gone(TenantRun tenant);
  }

  /** So that points in time are not negative before a jump back. */
  private static final long START_NS = 1_000_000_000_000L;

  private final EventQueue events = new EventQueue();
  private Tenants tenants;
  private long nowNs;
  private long clockOffsetNs = START_NS;

  /** Set once. */
  void tell(Tenants listener) {
    tenants = listener;
  }

  Tenants tenants() {
    return tenants;
  }

  EventQueue events() {
    return events;
  }

  /** Since the beginning, without jumps. */
  long nowNs() {
    return nowNs;
  }

  void at(long ns) {
    nowNs = ns;
  }

  /** What the platform's clock shows. */
  long clockNs() {
    return nowNs + clockOffsetNs;
  }

  /** What virtual time it is when the platform's clock shows that, as it goes now. */
  long ofClock(long ns) {
    return ns - clockOffsetNs;
  }

  /** The platform's clock is set. */
  void jump(long byNs) {
    clockOffsetNs += byNs;
  }
}
