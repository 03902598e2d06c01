package io.isle.core.accel.sched;

/**
 * The numbers that a core has beside its settings. From them, after one change of settings, its
 * queues follow: ties in them go by index, not by who came first.
 */
final class CoreState {
  static final int TIME = 0;
  static final int ACCOUNT = 1;
  static final int BLOCKED = 2;
  static final int READY = 3;
  static final int GIVEN = 4;
  static final int CEILING = 5;
  static final int FAIR_KEY = 6;
  static final int FAIR_TIME = 7;
  static final int SLOT = 8;
  static final int TURN = 9;
  static final int ORDERS = 10;
  static final int FREED = 11;
  static final int EXCESS = 12;
  static final int FIELDS = 13;

  private static final long MOST = 1L << 62;

  /** What becomes of each number. */
  interface Values {
    /** Returns what it is from now on. */
    long value(int field, int index, long is);
  }

  private final Placement placement;
  private final Slots slots;
  private final Lease lease;

  CoreState(Placement placement, Slots slots, Lease lease) {
    this.placement = placement;
    this.slots = slots;
    this.lease = lease;
  }

  /** Goes through all of them. The caller changes settings afterwards, if only to the same. */
  void visit(Values values) {
    CoreTime time = placement.time;
    long now = Math.clamp(values.value(TIME, 0, time.now()), 0, MOST);
    time.restore(now, values.value(TIME, 1, time.offset()));
    long[] row = placement.accounts.row;
    for (int i = 0; i < row.length; i++) {
      row[i] = Math.clamp(values.value(ACCOUNT, i, row[i]), -MOST, MOST);
    }
    Contexts contexts = placement.contexts;
    for (int c = 0; c < contexts.capacity(); c++) {
      contexts.setBlocked(
          c, Math.clamp(values.value(BLOCKED, c, contexts.blocked(c)), -MOST, MOST));
      int is = contexts.isReady(c) ? 1 : contexts.isPaused(c) ? 2 : 0;
      long ready = values.value(READY, c, is);
      contexts.setReady(c, contexts.isOpen(c) && ready == 1);
      contexts.setPaused(c, contexts.isOpen(c) && ready == 2);
    }
    for (int g = 0; g < placement.groups.capacity(); g++) {
      long given = placement.groups.ownNs(g);
      placement.groups.given(g, Math.clamp(values.value(GIVEN, g, given), 0, MOST) - given);
    }
    Ceilings ceilings = placement.ceilings;
    for (int i = 0; i < ceilings.numbers(); i++) {
      if (ceilings.isState(i)) {
        ceilings.restore(i, Math.clamp(values.value(CEILING, i, ceilings.number(i)), -MOST, MOST));
      }
    }
    visitFair(values);
    visitSlots(values);
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      long turn = values.value(TURN, p, placement.queues.turn(p).cursor());
      placement.queues.turn(p).served(Math.clamp(turn, 0, contexts.capacity()) - 1);
    }
    lease.setFreed(values.value(FREED, 0, lease.freed()));
  }

  private void visitFair(Values values) {
    VirtualTimes times = placement.fair.times();
    for (int node = 0; node < times.nodes(); node++) {
      times.restoreKey(node, Math.clamp(values.value(FAIR_KEY, node, times.key(node)), 0, MOST));
    }
    for (int q = 0; q < times.queues(); q++) {
      times.restoreTime(q, Math.clamp(values.value(FAIR_TIME, q, times.time(q)), 0, MOST));
    }
  }

  /** Four numbers a slot: context, grade and whether it leaves, or 0; charge; start; order. */
  private void visitSlots(Values values) {
    Contexts contexts = placement.contexts;
    for (int slot = 0; slot < slots.depth(); slot++) {
      int n = slot << 2;
      int is = slots.plainCode(slot);
      long code = values.value(SLOT, n, is + 1L) - 1;
      long charge = values.value(SLOT, n + 1, is < 0 ? 0 : slots.charge(slot));
      long start = values.value(SLOT, n + 2, is < 0 ? 0 : slots.start(slot));
      long order = values.value(SLOT, n + 3, is < 0 ? 0 : slots.order(slot));
      long excess = values.value(EXCESS, slot, is < 0 ? 0 : slots.excess(slot));
      if (code >= 0 && code != is) {
        slots.restore(slot, (int) code, charge, excess, start, order);
        int c = slots.context(slot);
        int grade = slots.grade(slot);
        if (code > Integer.MAX_VALUE
            || c >= contexts.capacity()
            || !contexts.isOpen(c)
            || grade < Slots.COVERED
            || grade > Slots.SPARE
            || charge < 0
            || charge > MOST
            || excess < 0
            || excess > charge) {
          throw new IllegalArgumentException("slot " + slot + " has no submission of a context");
        }
      }
    }
    slots.setOrders(Math.clamp(values.value(ORDERS, 0, slots.orders()), 0, MOST));
  }
}
