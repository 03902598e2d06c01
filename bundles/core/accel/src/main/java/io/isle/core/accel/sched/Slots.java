package io.isle.core.accel.sched;

import java.util.Arrays;

/** What is on the device: a slot a submission. */
final class Slots {
  static final int NONE = -1;

  /** It ran within a budget, and is charged to it. */
  static final int COVERED = 1;

  /** It ran by its weight; policies without guarantees have only these. */
  static final int FAIR = 2;

  /** It ran because nobody else could. */
  static final int SPARE = 3;

  private static final int CONTEXT_BITS = 12;
  private static final int CONTEXT = (1 << CONTEXT_BITS) - 1;
  private static final int GRADE_BITS = 2;
  private static final int GRADE = (1 << GRADE_BITS) - 1;

  /** Lease numbers that are told apart; 0 is none. */
  static final int LEASES = (1 << 30 - CONTEXT_BITS - GRADE_BITS) - 1;

  private static final int SHIFT = 2;
  private static final int CHARGE = 0;
  private static final int START = 1;
  private static final int ORDER = 2;
  private static final int EXCESS = 3;

  /** Of a code: asked to leave. */
  private static final int LEAVING = 1 << 30;

  /** Context, grade and lease; {@link #NONE} when free. */
  private final int[] codes;

  private final long[] row;
  private long orders;

  /** Slots from here on were never taken. */
  private int end;

  private int used;
  private int limit;

  Slots(int depth) {
    codes = new int[depth];
    row = new long[depth << SHIFT];
    limit = depth;
    Arrays.fill(codes, NONE);
  }

  /**
   * @param lease 1 to {@link #LEASES}; 0 without
   */
  static int code(int c, int grade, int lease) {
    return lease << CONTEXT_BITS + GRADE_BITS | grade << CONTEXT_BITS | c;
  }

  int depth() {
    return codes.length;
  }

  /** Slots at and above this are free. */
  int end() {
    return end;
  }

  /** How many may be taken at a time; those beyond that are taken stay. */
  void limit(int most) {
    limit = most;
  }

  /** See {@link #limit(int)}. */
  int limit() {
    return limit;
  }

  boolean isFull() {
    return used >= limit;
  }

  int used() {
    return used;
  }

  /**
   * @param excess how much of the charge the fair queues do not have
   */
  void put(int slot, int code, long charge, long excess, long now) {
    if (codes[slot] == NONE) {
      used++;
      end = Math.max(end, slot + 1);
    }
    codes[slot] = code;
    int n = slot << SHIFT;
    row[n + CHARGE] = charge;
    row[n + START] = now;
    row[n + ORDER] = orders++;
    row[n + EXCESS] = excess;
  }

  void clear(int slot) {
    if (codes[slot] != NONE) {
      used--;
    }
    codes[slot] = NONE;
  }

  int code(int slot) {
    return codes[slot];
  }

  /** {@link #NONE} when the slot is free. */
  int context(int slot) {
    int code = codes[slot];
    return code == NONE ? NONE : code & CONTEXT;
  }

  int grade(int slot) {
    return codes[slot] >> CONTEXT_BITS & GRADE;
  }

  long charge(int slot) {
    return row[(slot << SHIFT) + CHARGE];
  }

  /** How much of the charge the fair queues do not have. */
  long excess(int slot) {
    return row[(slot << SHIFT) + EXCESS];
  }

  /** It has run for longer than was charged. */
  void addCharge(int slot, long ns) {
    row[(slot << SHIFT) + CHARGE] += ns;
  }

  /** In the caller's clock. */
  long start(int slot) {
    return row[(slot << SHIFT) + START];
  }

  boolean isLeaving(int slot) {
    return codes[slot] != NONE && (codes[slot] & LEAVING) != 0;
  }

  void setLeaving(int slot) {
    if (codes[slot] != NONE) {
      codes[slot] |= LEAVING;
    }
  }

  long order(int slot) {
    return row[(slot << SHIFT) + ORDER];
  }

  /** Of no lease: context, grade, and whether it leaves; {@link #NONE} when free. */
  int plainCode(int slot) {
    int code = codes[slot];
    return code == NONE ? NONE : code & (LEAVING | GRADE << CONTEXT_BITS | CONTEXT);
  }

  /** As it was in another machine; checks nothing. */
  void restore(int slot, int code, long charge, long excess, long start, long order) {
    put(slot, code, charge, excess, start);
    row[(slot << SHIFT) + ORDER] = order;
  }

  void setOrders(long count) {
    orders = count;
  }

  /** How many have started so far. */
  long orders() {
    return orders;
  }

  /** The slot that started first after the one of that order; {@link #NONE} if there is none. */
  int after(long order) {
    int found = NONE;
    for (int slot = 0; slot < end; slot++) {
      if (codes[slot] != NONE
          && order(slot) > order
          && (found == NONE || order(slot) < order(found))) {
        found = slot;
      }
    }
    return found;
  }

  /** Whether something of a server's contexts is in flight. */
  boolean serves(int server, Contexts contexts) {
    for (int slot = 0; slot < end; slot++) {
      int code = codes[slot];
      if (code != NONE && contexts.server(code & CONTEXT) == server) {
        return true;
      }
    }
    return false;
  }
}
