package io.isle.sim;

/** What a tenant has in one slot of its context's queue; used again for later submissions. */
final class Work {
  private static final long NOT_YET = -1;

  private final TenantRun tenant;

  /** 0 while it is free. */
  private long point;

  private long arrivedNs;
  private long firstBeganNs;
  private long leftNs;
  private long ranNs;
  private boolean fails;

  Work(TenantRun tenant) {
    this.tenant = tenant;
  }

  /** The next submission is here: the one of that number. */
  void arrive(long number, long nowNs, long serviceNs, boolean willFail) {
    check(point == 0, "is taken");
    point = number;
    arrivedNs = nowNs;
    firstBeganNs = NOT_YET;
    leftNs = serviceNs;
    ranNs = 0;
    fails = willFail;
  }

  TenantRun tenant() {
    return tenant;
  }

  long context() {
    return tenant.contextId();
  }

  long arrivedNs() {
    return arrivedNs;
  }

  boolean hasBegun() {
    return firstBeganNs != NOT_YET;
  }

  /** When it first began on the device. */
  long beganNs() {
    return firstBeganNs;
  }

  boolean fails() {
    return fails;
  }

  /** Time on the device that it still needs. */
  long leftNs() {
    return leftNs;
  }

  /** How long it was on an engine before it began there last. */
  long ranNs() {
    return ranNs;
  }

  /** It begins on the device, or goes on. */
  void begin(long nowNs) {
    check(point != 0, "begins in a free slot of the queue");
    if (firstBeganNs == NOT_YET) {
      tenant.began(point);
      firstBeganNs = nowNs;
    }
  }

  /** It has ended, once. */
  void end(long number) {
    check(point == number, "ends as " + number);
    point = 0;
  }

  private void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(tenant.spec().name() + ": submission " + point + " " + what);
    }
  }

  /**
   * It left the device before its end.
   *
   * @param progressNs of its service
   * @param passedNs on the engine
   * @param kept whether what it did counts
   */
  void leave(long progressNs, long passedNs, boolean kept) {
    leftNs -= kept ? progressNs : 0;
    ranNs += kept ? passedNs : 0;
    tenant.preempted();
  }
}
