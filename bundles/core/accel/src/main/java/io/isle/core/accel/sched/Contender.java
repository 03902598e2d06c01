package io.isle.core.accel.sched;

/** Who waits, in the device or for it, and goes before all others that do. */
final class Contender {
  static final int NONE = -1;

  private final Placement placement;
  private final Slots slots;
  private int context = NONE;
  private int grade;
  private long order;

  Contender(Placement placement, Slots slots) {
    this.placement = placement;
    this.slots = slots;
  }

  /**
   * Looks for it; outside of the device where that is full.
   *
   * @param parallel so many that started first do not wait
   */
  void find(int parallel) {
    context = NONE;
    int slot = slots.after(-1);
    for (int i = 0; slot != NONE; i++) {
      if (i >= parallel) {
        consider(slots.context(slot), gradeBehind(slot), slots.order(slot));
      }
      slot = slots.after(slots.order(slot));
    }
    if (slots.isFull()) {
      int c = placement.pick();
      if (c != NONE) {
        consider(c, placement.gradeOf(c), Long.MAX_VALUE);
      }
    }
  }

  private void consider(int c, int itsGrade, long itsOrder) {
    if (context == NONE || itsGrade < grade || itsGrade == grade && above(c) < 0) {
      context = c;
      grade = itsGrade;
      order = itsOrder;
    }
  }

  /** There is none. */
  void clear() {
    context = NONE;
  }

  /** Whose it is; {@link #NONE} if nobody waits. */
  int context() {
    return context;
  }

  /** How it would run now, as in {@link Slots}. */
  int grade() {
    return grade;
  }

  /** When it was started; later than all if it was not. */
  long order() {
    return order;
  }

  /** By how much its priority is higher than that of another context. */
  int above(int c) {
    return priority(context) - priority(c);
  }

  private int priority(int c) {
    return placement.policy() == SchedulingPolicy.ROUND_ROBIN ? 0 : placement.contexts.priority(c);
  }

  /** How what waits in the device would run by now. */
  int gradeBehind(int slot) {
    int c = slots.context(slot);
    int s = placement.contexts.server(c);
    if (slots.grade(slot) == Slots.FAIR || s == Contexts.NONE) {
      return Slots.FAIR;
    }
    boolean covered =
        slots.grade(slot) == Slots.COVERED && placement.servers.budget(s) + slots.charge(slot) > 0;
    return covered ? Slots.COVERED : placement.gradeOf(c);
  }
}
