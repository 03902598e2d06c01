package io.isle.core.accel.sched;

/**
 * Writes down every call of a {@link SchedulingCore} that can change a decision, and every
 * decision. Calls that tell a later time and nothing else are written as the last of them.
 */
final class Inputs {
  static final int AT = 1;
  static final int POLICY = 2;
  static final int LIMIT = 3;
  static final int OPEN = 4;
  static final int CLOSE = 5;
  static final int CONTEXT = 6;
  static final int GROUP = 7;
  static final int REMOVE = 8;
  static final int READY = 9;
  static final int IDLE = 10;
  static final int NEXT = 11;
  static final int START = 12;
  static final int END = 13;
  static final int ABANDON = 14;
  static final int ADVISE = 15;
  static final int ASKED = 16;
  static final int PARALLEL = 17;

  /** A number of the state at the beginning, and the last of these. */
  static final int STATE = 18;

  static final int BEGIN = 19;

  static final int PAUSE = 20;

  static final int STOPS = 21;

  private static final int KINDS = 22;

  /** By kind, whether it has a time, and how many other numbers. */
  private static final boolean[] TIMED = new boolean[KINDS];

  private static final int[] NUMBERS = new int[KINDS];

  /** In version 1 of the journal, where a start has no charge in advance. */
  private static final int NUMBERS_OF_START = 2;

  static {
    for (int kind : new int[] {AT, NEXT, START, END, ADVISE}) {
      TIMED[kind] = true;
    }
    for (int kind :
        new int[] {
          POLICY, LIMIT, CLOSE, REMOVE, READY, IDLE, PAUSE, NEXT, ABANDON, ASKED, PARALLEL, STOPS
        }) {
      NUMBERS[kind] = 1;
    }
    NUMBERS[START] = 3;
    NUMBERS[END] = 2;
    NUMBERS[ADVISE] = 2;
    NUMBERS[STATE] = 3;
    NUMBERS[OPEN] = 4;
    NUMBERS[CONTEXT] = 4;
    NUMBERS[GROUP] = 5;
  }

  /** Two times further apart than this are not one step. */
  private static final long FAR_NS = 1L << 54;

  private static final int PARENT_SHIFT = 16;
  private static final int WEIGHT_SHIFT = 32;
  private static final int HALF = 0xffff;

  private InputRing ring;

  /** The latest time that was told, and whether it is yet to be written. */
  private long latest;

  private boolean pending;
  private long written;

  /** Whether nothing came since a decision for nobody. */
  private boolean none;

  static boolean isKnown(int kind) {
    return kind >= AT && kind < KINDS;
  }

  static boolean isTimed(int kind) {
    return TIMED[kind];
  }

  static int numbers(int kind) {
    return NUMBERS[kind];
  }

  /** As {@link #numbers(int)}, in a version of the journal. */
  static int numbers(int kind, int version) {
    return kind == START && version == 1 ? NUMBERS_OF_START : NUMBERS[kind];
  }

  boolean isOn() {
    return ring != null;
  }

  /** Null ends it. */
  void setRing(InputRing now, long time) {
    ring = now;
    latest = time;
    written = time;
    pending = false;
    none = false;
  }

  void at(long now) {
    if (ring == null) {
      return;
    }
    if (now < latest || now - written >= FAR_NS) {
      flush();
      write(AT, now, 0, 0, 0);
      written = now;
    } else {
      pending = true;
    }
    latest = now;
  }

  private void flush() {
    if (pending) {
      pending = false;
      written = latest;
      ring.write(AT, latest, 0, 0, 0, 0, 0);
    }
  }

  /** A call at a time. */
  private void timed(int kind, long now, long a, long b, long c) {
    if (now < latest || now - written >= FAR_NS) {
      flush();
    }
    pending = false;
    latest = now;
    written = now;
    write(kind, now, a, b, c);
  }

  private void write(int kind, long now, long a, long b, long c) {
    ring.write(kind, now, a, b, c, 0, 0);
    none = false;
  }

  void next(long now, int context, boolean due) {
    if (ring == null) {
      return;
    }
    if (context == SchedulingCore.NONE && none && !due) {
      // as the one before
      boolean before = none;
      at(now);
      none = before;
      return;
    }
    timed(NEXT, now, context, 0, 0);
    none = context == SchedulingCore.NONE;
  }

  void start(int slot, int context, long now, long advanceNs) {
    if (ring != null) {
      timed(START, now, slot, context, advanceNs);
    }
  }

  void end(int slot, long busyNs, long now) {
    if (ring != null) {
      timed(END, now, slot, busyNs, 0);
    }
  }

  void advise(long now, int slot, int reason) {
    if (ring != null) {
      timed(ADVISE, now, slot, slot == SchedulingCore.NONE ? 0 : reason, 0);
    }
  }

  /** A call without a time. */
  void plain(int kind, long a) {
    plain(kind, a, 0, 0, 0, 0);
  }

  void context(int kind, int c, int group, int priority, long quotaNs, long periodNs) {
    plain(kind, c, (long) group << 2 | priority, quotaNs, quotaNs == 0 ? 0 : periodNs, 0);
  }

  void group(
      int g,
      int parent,
      long guaranteeNs,
      long guaranteePeriodNs,
      long maxNs,
      long maxPeriodNs,
      int weight) {
    plain(
        GROUP,
        g | (long) (parent + 1) << PARENT_SHIFT | (long) weight << WEIGHT_SHIFT,
        guaranteeNs,
        guaranteePeriodNs,
        maxNs,
        maxPeriodNs);
  }

  void state(int field, int index, long value) {
    plain(STATE, field, index, value, 0, 0);
  }

  private void plain(int kind, long a, long b, long c, long d, long e) {
    if (ring != null) {
      flush();
      none = false;
      ring.write(kind, 0, a, b, c, d, e);
    }
  }

  static int group(long packed) {
    return (int) packed & HALF;
  }

  static int parent(long packed) {
    return ((int) (packed >>> PARENT_SHIFT) & HALF) - 1;
  }

  static int weight(long packed) {
    return (int) (packed >>> WEIGHT_SHIFT);
  }
}
