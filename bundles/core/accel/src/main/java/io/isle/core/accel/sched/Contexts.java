package io.isle.core.accel.sched;

/** Where each context belongs. */
final class Contexts {
  static final int NONE = -1;

  private static final int GROUP = 0;
  private static final int SERVER = 1;

  /** The nearest group with a ceiling. */
  private static final int CEILING = 2;

  private static final int STATE = 3;
  private static final int PRIORITY = 3;
  private static final int READY = 4;
  private static final int OPEN = 8;
  private static final int PAUSED = 16;

  private final int[] row;
  private final long[] quota;
  private final long[] period;
  private final long[] blocked;

  /** How many are ready. */
  private int ready;

  Contexts(int capacity) {
    row = new int[capacity << 2];
    quota = new long[capacity];
    period = new long[capacity];
    blocked = new long[capacity];
  }

  int capacity() {
    return quota.length;
  }

  void open(int c) {
    row[(c << 2) + STATE] = OPEN;
  }

  void close(int c) {
    row[(c << 2) + STATE] = 0;
    quota[c] = 0;
  }

  boolean isOpen(int c) {
    return (row[(c << 2) + STATE] & OPEN) != 0;
  }

  int group(int c) {
    return row[(c << 2) + GROUP];
  }

  int priority(int c) {
    return row[(c << 2) + STATE] & PRIORITY;
  }

  void place(int c, int group, int priority) {
    int n = c << 2;
    row[n + GROUP] = group;
    row[n + STATE] = row[n + STATE] & ~PRIORITY | priority;
  }

  boolean isReady(int c) {
    return (row[(c << 2) + STATE] & READY) != 0;
  }

  void setReady(int c, boolean now) {
    if (isReady(c) != now) {
      row[(c << 2) + STATE] ^= READY;
      ready += now ? 1 : -1;
    }
  }

  /** How many are ready. */
  int ready() {
    return ready;
  }

  /** Not ready, for a reason that is no rest. */
  boolean isPaused(int c) {
    return (row[(c << 2) + STATE] & PAUSED) != 0;
  }

  void setPaused(int c, boolean now) {
    int n = (c << 2) + STATE;
    row[n] = now ? row[n] | PAUSED : row[n] & ~PAUSED;
  }

  /** The context itself, a group's server, or {@link #NONE}. */
  int server(int c) {
    return row[(c << 2) + SERVER];
  }

  int ceiling(int c) {
    return row[(c << 2) + CEILING];
  }

  void link(int c, int server, int ceiling) {
    row[(c << 2) + SERVER] = server;
    row[(c << 2) + CEILING] = ceiling;
  }

  /** Of its own guarantee; 0 without. */
  long quota(int c) {
    return quota[c];
  }

  long period(int c) {
    return period[c];
  }

  void setGuarantee(int c, long quotaNs, long periodNs) {
    quota[c] = quotaNs;
    period[c] = periodNs;
  }

  /**
   * How long a ceiling has kept what the context had ready; while it has something ready, what the
   * group's time at ceilings is beyond that.
   */
  long blocked(int c) {
    return blocked[c];
  }

  void setBlocked(int c, long ns) {
    blocked[c] = ns;
  }
}
