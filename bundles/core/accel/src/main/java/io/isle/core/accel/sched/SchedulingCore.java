package io.isle.core.accel.sched;

/**
 * Decides which context's next submission starts on one device (accelerator framework, 42.2.4 and
 * 44.4). No thread, clock or I/O; nothing is allocated after the constructor. Not thread-safe: one
 * agent, or one simulator, owns it.
 *
 * <p>Under {@link SchedulingPolicy#GUARANTEED}, in this order: contexts whose server has budget, by
 * priority, then by deadline, and fairly among those of one group's server; contexts without a
 * server, by priority, then fairly by the weights of their groups; contexts whose server is
 * exhausted. A group's ceiling holds under every policy. Each submission is charged in advance with
 * what its owner says or the context's last ones took, so that several in flight do not overrun by
 * more than one; the end of the submission corrects it, and what was overrun is missing later.
 *
 * <p>Contexts, groups and slots are indices below the capacities; group 0 is the root and is always
 * there. Times are nanoseconds of any clock; going back does no harm. Calls without a time happen
 * at that of the last call with one: call {@link #at} where a cycle begins. Settings out of range
 * throw {@link IllegalArgumentException} and change nothing; calls of the data path do not throw.
 */
public final class SchedulingCore {
  public static final int NONE = -1;

  /** A charge in advance of what the context's last submissions took. */
  public static final long AVERAGE = -1;

  /** Of {@link #nextTimer}: nothing will become eligible by time alone. */
  public static final long NEVER = CoreTime.NEVER;

  private final Placement placement;
  private final CoreTime time;
  private final Events events;
  private final Inputs inputs;
  private final Contexts contexts;
  private final Groups groups;
  private final Slots slots;
  private final Lease lease;
  private final Control control;
  private final Submissions submissions;
  private final Preemption preemption;
  private final Readings readings;
  private final int units;

  /**
   * @param contextCapacity 1 to 4096
   * @param groupCapacity with the root, 1 to 256
   * @param depth most submissions in flight, 1 to 1024
   * @param units compute units of the device, 1 to 65536: quotas are at most so many periods
   * @param now of the caller's clock
   */
  public SchedulingCore(
      int contextCapacity,
      int groupCapacity,
      int depth,
      int units,
      SchedulingPolicy policy,
      long now) {
    Limits.check("contexts", contextCapacity, 1, Limits.MAX_CONTEXTS);
    Limits.check("groups", groupCapacity, 1, Limits.MAX_GROUPS);
    Limits.check("depth", depth, 1, Limits.MAX_DEPTH);
    Limits.check("units", units, 1, Limits.MAX_UNITS);
    this.units = units;
    slots = new Slots(depth);
    placement = new Placement(contextCapacity, groupCapacity, slots, policy, now);
    time = placement.time;
    events = placement.events;
    inputs = placement.inputs;
    contexts = placement.contexts;
    groups = placement.groups;
    control = new Control(placement, slots, units);
    lease = new Lease(placement, slots);
    readings = new Readings(placement, lease);
    submissions = new Submissions(placement, slots, lease);
    preemption = new Preemption(placement, slots, lease, submissions);
  }

  /** The time is {@code now}. */
  public void at(long now) {
    if (!lease.at(now)) {
      lease.end();
      time.at(now);
      inputs.at(now);
    }
  }

  public SchedulingPolicy policy() {
    return placement.policy();
  }

  /** Takes effect with the next decision. Guarantees begin a period. */
  public void setPolicy(SchedulingPolicy policy) {
    lease.end();
    control.setPolicy(policy);
    inputs.plain(Inputs.POLICY, policy.ordinal());
    events.event(Journal.POLICY, NONE, policy.ordinal(), 0, 0);
  }

  /**
   * How many may be in flight from now on; those beyond that are there now stay.
   *
   * @param most 1 to the depth
   */
  public void setLimit(int most) {
    slots.limit(Limits.check("limit", most, 1, slots.depth()));
    inputs.plain(Inputs.LIMIT, most);
  }

  /** Submissions in flight. */
  public int inFlight() {
    return slots.used();
  }

  /**
   * Writes the state, then all that can change a decision and every decision, to a ring from now
   * on; there are no leases meanwhile. Null ends it.
   */
  public void setRecorder(InputRing ring) {
    lease.end();
    // so that the queues follow from what is written
    control.setPolicy(placement.policy());
    preemption.forget();
    inputs.setRing(ring, time.callers(time.now()));
    if (ring != null) {
      new Recording(placement, slots, lease, preemption).write();
    }
  }

  /** Null ends it. */
  public void setJournal(Journal journal) {
    lease.end();
    events.setJournal(journal);
  }

  /**
   * A context comes, with nothing ready.
   *
   * @param priority 0 to 3, higher is more urgent
   * @param quotaNs its own guarantee, 1 us to units periods, reserved out of its group's; 0 for
   *     none
   * @param periodNs 1 ms to 10 s in whole microseconds
   */
  public void open(int c, int group, int priority, long quotaNs, long periodNs) {
    lease.end();
    control.open(c, group, priority, quotaNs, periodNs);
    inputs.context(Inputs.OPEN, c, group, priority, quotaNs, periodNs);
    placement.event(Journal.OPEN, c, 0);
  }

  /** A context goes; what it has in flight is charged to nobody. Nothing if it is not open. */
  public void close(int c) {
    if (!contexts.isOpen(c)) {
      return;
    }
    lease.end();
    idle(c);
    for (int slot = 0; slot < slots.end(); slot++) {
      if (slots.context(slot) == c) {
        submissions.abandon(slot);
      }
    }
    placement.event(Journal.CLOSE, c, 0);
    control.close(c);
    inputs.plain(Inputs.CLOSE, c);
  }

  /** As {@link #open}, for one that is open; takes effect with the next decision. */
  public void setContext(int c, int group, int priority, long quotaNs, long periodNs) {
    Limits.check("context", c, 0, contexts.capacity() - 1);
    if (!contexts.isOpen(c)) {
      throw new IllegalArgumentException("context " + c + " is not open");
    }
    lease.end();
    control.setContext(c, group, priority, quotaNs, periodNs);
    inputs.context(Inputs.CONTEXT, c, group, priority, quotaNs, periodNs);
    placement.event(Journal.CHANGE, c, 0);
  }

  /**
   * Makes or changes a group; takes effect with the next decision, and what was used of a period
   * stays used.
   *
   * @param g the root, 0, has no parent ({@link #NONE}) and no guarantee
   * @param guaranteeNs quota of its guarantee, as for contexts; 0 for none
   * @param guaranteePeriodNs without a quota 0 for a group that shares what is above it, else it is
   *     guaranteed nothing at all
   * @param maxNs quota of its ceiling; 0 for none
   * @param weight 1 to 10000 against its siblings; contexts have 100
   */
  public void setGroup(
      int g,
      int parent,
      long guaranteeNs,
      long guaranteePeriodNs,
      long maxNs,
      long maxPeriodNs,
      int weight) {
    lease.end();
    control.setGroup(g, parent, guaranteeNs, guaranteePeriodNs, maxNs, maxPeriodNs, weight);
    inputs.group(g, parent, guaranteeNs, guaranteePeriodNs, maxNs, maxPeriodNs, weight);
    events.event(Journal.CHANGE, -1 - g, weight, guaranteeNs, guaranteePeriodNs);
  }

  /**
   * @throws IllegalStateException when groups or contexts are below it
   */
  public void removeGroup(int g) {
    lease.end();
    control.removeGroup(g);
    inputs.plain(Inputs.REMOVE, g);
    events.event(Journal.CHANGE, -1 - g, 0, 0, 0);
  }

  /** The context has a submission that could start. Idempotent. */
  public void ready(int c) {
    if (!lease.ready(c) && contexts.isOpen(c) && !contexts.isReady(c)) {
      lease.end();
      placement.ready(c);
      inputs.plain(Inputs.READY, c);
    }
  }

  /** The context has none. Idempotent. */
  public void idle(int c) {
    if (lease.idle(c)) {
      return;
    }
    if (contexts.isReady(c)) {
      lease.end();
      placement.rest(c, false);
      inputs.plain(Inputs.IDLE, c);
    } else if (contexts.isPaused(c)) {
      lease.end();
      placement.endPause(c);
      inputs.plain(Inputs.IDLE, c);
    }
  }

  /**
   * The context has a submission that may not start until {@link #ready}, and not because of what
   * it was given: unlike after {@link #idle} it has not rested then. Nothing if it is not ready.
   */
  public void pause(int c) {
    if (contexts.isReady(c)) {
      lease.end();
    }
    // which may have rested within the lease
    if (contexts.isReady(c)) {
      placement.rest(c, true);
      inputs.plain(Inputs.PAUSE, c);
    }
  }

  /**
   * The context to serve now; {@link #NONE} if there is none. It stays ready and the same until
   * {@link #onStart} or another change.
   */
  public int next(long now) {
    return lease.at(now) ? lease.served() : find(now);
  }

  private int find(long now) {
    lease.end();
    time.at(now);
    boolean due = time.isDue();
    int c = placement.pick();
    if (events.isOn() || inputs.isOn()) {
      inputs.next(now, c, due);
    } else if (c != NONE) {
      lease.grant(c);
    }
    return c;
  }

  /** Whether {@link #next} would find one. */
  public boolean hasEligible(long now) {
    return next(now) != NONE;
  }

  /** As the other method, charged in advance with what the context's last ones took. */
  public void onStart(int slot, int c, long now) {
    onStart(slot, c, now, AVERAGE);
  }

  /**
   * A submission of the context starts.
   *
   * @param slot of it, free so far, below the depth
   * @param advanceNs what it is charged in advance; counts up to 2^40. {@link #AVERAGE}, as any
   *     negative number, for what the context's last ones took
   */
  public void onStart(int slot, int c, long now, long advanceNs) {
    long advance = advanceNs < 0 ? AVERAGE : Math.min(advanceNs, Limits.MAX_CHARGE_NS);
    if (!lease.start(slot, c, now, advance)) {
      submissions.start(slot, c, now, advance);
    }
  }

  /**
   * A submission has ended, or has left the device for now.
   *
   * @param busyNs device time that it took, over the number of units; counts within 0 and 2^40
   */
  public void onEnd(int slot, long busyNs, long now) {
    if (!lease.end(slot, busyNs, now)) {
      submissions.end(slot, busyNs, now);
    }
  }

  /** A submission has ended without use of the device, or nobody can say: it costs nothing. */
  public void onAbandon(int slot) {
    submissions.abandon(slot);
  }

  /**
   * When something that may not run now may, in the caller's clock; {@link #NEVER} if only a call
   * can change that. After {@link #next} it is not in the past; of use only while there is room for
   * more in flight.
   */
  public long nextTimer() {
    return time.callers(placement.nextDue());
  }

  /** Figures for tenants and administrators. */
  public Readings readings() {
    return readings;
  }

  /** Which submission should leave the device. */
  public Preemption preemption() {
    return preemption;
  }

  int contexts() {
    return contexts.capacity();
  }

  int groups() {
    return groups.capacity();
  }

  int depth() {
    return slots.depth();
  }

  int units() {
    return units;
  }

  boolean isOpen(int c) {
    return contexts.isOpen(c);
  }

  boolean isTaken(int slot) {
    return slots.context(slot) != NONE;
  }

  /** Takes the state of another core with the same settings. */
  void restore(CoreState.Values values) {
    new CoreState(placement, slots, lease).visit(values);
    control.setPolicy(placement.policy());
  }
}
