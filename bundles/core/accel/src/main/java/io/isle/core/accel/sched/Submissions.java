package io.isle.core.accel.sched;

/**
 * Submissions from their start to their end, and what they are charged: in advance what they are
 * thought to take, then what they took more or less. All levels are charged: server, fair queues,
 * ceilings.
 */
public final class Submissions {
  private static final int NONE = -1;

  private final Placement placement;
  private final Slots slots;
  private final Lease lease;
  private final CoreTime time;
  private final Accounts accounts;
  private final Contexts contexts;
  private final Ceilings ceilings;
  private final Servers servers;
  private final FairQueues fair;

  Submissions(Placement placement, Slots slots, Lease lease) {
    this.placement = placement;
    this.slots = slots;
    this.lease = lease;
    time = placement.time;
    accounts = placement.accounts;
    contexts = placement.contexts;
    ceilings = placement.ceilings;
    servers = placement.servers;
    fair = placement.fair;
  }

  /**
   * One of the context starts, which is picked.
   *
   * @param advance within the limit of a charge, or {@link SchedulingCore#AVERAGE}
   */
  void start(int slot, int c, long now, long advance) {
    lease.end();
    time.at(now);
    int n = c << Accounts.SHIFT;
    long[] row = accounts.row;
    long average = row[n + Accounts.ESTIMATE];
    long charge = advance < 0 ? average : advance;
    long excess = excess(charge, average);
    row[n + Accounts.WAITED] += time.now() - row[n + Accounts.SINCE];
    row[n + Accounts.SINCE] = time.now();
    row[n + Accounts.STARTED]++;
    int grade = Slots.FAIR;
    if (placement.isGuaranteed()) {
      grade = startByServer(c, charge, charge - excess);
    } else {
      placement.queues.hadTurn(c);
    }
    for (int g = contexts.ceiling(c); g >= 0; g = ceilings.above(g)) {
      if (ceilings.take(g, charge)) {
        placement.throttling.weigh(g);
      }
    }
    slots.put(slot, Slots.code(c, grade, 0), charge, excess, now);
    placement.inputs.start(slot, c, now, advance);
    placement.event(Journal.START, c, charge);
  }

  /**
   * What the fair queues are not charged in advance: their virtual times follow the largest charge
   * and do not go back, so that one far too large would be to the harm of all who come later.
   */
  static long excess(long charge, long average) {
    return Math.max(0, charge - average);
  }

  private int startByServer(int c, long charge, long fairCharge) {
    int s = contexts.server(c);
    if (s != c) {
      fair.start(c, fairCharge);
      if (s < 0) {
        return Slots.FAIR;
      }
    }
    if (!servers.hasBudget(s)) {
      return Slots.SPARE;
    }
    if (servers.charge(s, charge)) {
      servers.requeue(s);
    }
    return Slots.COVERED;
  }

  /** What it took counts; nothing if the slot is free. */
  void end(int slot, long busyNs, long now) {
    lease.end();
    time.at(now);
    int c = slots.context(slot);
    if (c == NONE) {
      placement.inputs.at(now);
      return;
    }
    long busy = Limits.charge(busyNs);
    placement.inputs.end(slot, busy, now);
    leave(slot, busy);
    lease.setFreed(now);
    accounts.learn(c, busy);
    accounts.row[(c << Accounts.SHIFT) + Accounts.GIVEN] += busy;
    placement.groups.given(contexts.group(c), busy);
    placement.event(Journal.END, c, busy);
  }

  /** It costs nothing. */
  void abandon(int slot) {
    lease.end();
    int c = slots.context(slot);
    if (c != NONE) {
      long charge = slots.charge(slot);
      leave(slot, 0);
      placement.inputs.plain(Inputs.ABANDON, slot);
      placement.event(Journal.ABANDON, c, charge);
    }
  }

  private void leave(int slot, long busy) {
    charge(slot, busy - slots.charge(slot), slots.excess(slot));
    slots.clear(slot);
  }

  /** It goes on, and has run for so much longer than was charged. */
  void runOver(int slot, long ns) {
    charge(slot, ns, 0);
    slots.addCharge(slot, ns);
  }

  /**
   * More than was charged so far, or less.
   *
   * @param excess what the fair queues are charged besides
   */
  private void charge(int slot, long more, long excess) {
    int c = slots.context(slot);
    if (placement.isGuaranteed()) {
      int s = contexts.server(c);
      if (s != c) {
        fair.correct(c, more + excess);
      }
      if (s != NONE && slots.grade(slot) == Slots.COVERED && servers.correct(s, more)) {
        servers.requeue(s);
      }
    }
    for (int g = contexts.ceiling(c); g >= 0; g = ceilings.above(g)) {
      if (ceilings.correct(g, more)) {
        placement.throttling.weigh(g);
      }
    }
  }
}
