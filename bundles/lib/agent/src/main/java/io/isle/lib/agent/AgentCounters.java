package io.isle.lib.agent;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counters of an agent, written by the one thread that runs the agent and read by any thread. A
 * cycle costs one plain increment; time is charged only at a change of the state. Does not
 * allocate.
 */
final class AgentCounters {
  /** States of an agent; the numbers are the indices of the times. */
  static final int WORKS = 0;

  static final int IDLE = 1;
  static final int SLEEPS = 2;

  /** Another agent of the same thread works. */
  static final int WAITS = 3;

  private static final String[] STATES = {"works", "idle", "sleeps", "waits"};

  // the counters have cache lines of their own: others are written by other threads
  private static final int TIMES = 8;
  private static final int WORKED = 12;
  private static final int IDLED = 13;
  private static final int SLEPT = 14;
  private static final int STATE = 15;
  private static final int SINCE = 16;

  /** Odd while time is charged. */
  private static final int TURN = 17;

  private static final int SIZE = 26;

  private final AtomicLongArray values = new AtomicLongArray(SIZE);

  /**
   * @param now when it is idle first
   */
  AgentCounters(long now) {
    values.set(STATE, IDLE);
    values.set(SINCE, now);
  }

  void worked() {
    add(WORKED, 1);
  }

  void idled() {
    add(IDLED, 1);
  }

  void slept() {
    add(SLEPT, 1);
  }

  private void add(int index, long by) {
    values.setOpaque(index, values.getPlain(index) + by);
  }

  /** The state is another one since {@code now}, or since the last change if that was later. */
  void enter(int state, long now) {
    long since = values.getPlain(SINCE);
    long passed = Math.max(0, now - since);
    long turn = values.getPlain(TURN);
    values.setOpaque(TURN, turn + 1);
    VarHandle.storeStoreFence();
    add(TIMES + (int) values.getPlain(STATE), passed);
    values.setOpaque(STATE, state);
    values.setOpaque(SINCE, since + passed);
    values.setRelease(TURN, turn + 2);
  }

  /** The counters, including the current state up to {@code now}. Any thread. */
  Reading read(long now) {
    while (true) {
      long turn = values.getAcquire(TURN);
      int state = (int) values.getOpaque(STATE);
      long open = Math.max(0, now - values.getOpaque(SINCE));
      long[] times = new long[STATES.length];
      for (int i = 0; i < times.length; i++) {
        times[i] = values.getOpaque(TIMES + i) + (i == state ? open : 0);
      }
      long worked = values.getOpaque(WORKED);
      long idled = values.getOpaque(IDLED);
      long slept = values.getOpaque(SLEPT);
      VarHandle.loadLoadFence();
      if ((turn & 1) == 0 && values.getOpaque(TURN) == turn) {
        return new Reading(
            STATES[state], worked, idled, slept, times[WORKS], times[IDLE], times[SLEEPS]);
      }
      Thread.onSpinWait();
    }
  }

  /** The counters, with the meaning of {@link AgentInfo}. */
  record Reading(
      String state, long worked, long idled, long sleeps, long workNs, long idleNs, long sleepNs) {}
}
