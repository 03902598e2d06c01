package io.isle.core.accel;

import java.util.Arrays;

/**
 * Schedules the contexts of a device with several processes: strict priority among all, round robin
 * among the processes, then among the contexts of one priority in it. While there is more than one
 * process, each has at most its share of the submissions in flight, so that work which does not end
 * keeps nobody but its own group from starting. Fixed storage; allocates nothing between a
 * submission and its end.
 */
final class ProcessShares implements Scheduler {
  /** The device's own process. */
  static final int OWN = 0;

  private static final int NOT_READY = -1;

  private final PriorityRoundRobin[] byProcess;
  private final int[] running;
  private final byte[] process;
  private final byte[] ready;
  private int share = Integer.MAX_VALUE;

  /** Contexts that are not on the device's own process. */
  private int others;

  /** Processes with a greater number had no context yet. */
  private int most = OWN;

  private int cursor;

  /**
   * @param contexts indices are below this
   * @param processes numbers of processes are below this, at most 127
   */
  ProcessShares(int contexts, int processes) {
    byProcess = new PriorityRoundRobin[processes];
    for (int i = 0; i < processes; i++) {
      byProcess[i] = new PriorityRoundRobin(contexts);
    }
    running = new int[processes];
    process = new byte[contexts];
    ready = new byte[contexts];
    Arrays.fill(ready, (byte) NOT_READY);
  }

  /** From now on a process has at most so many in flight, while there are several. */
  void share(int most) {
    share = most;
  }

  /** Whether there are several. */
  boolean isDivided() {
    return others > 0;
  }

  /** A context with nothing in flight is on another process from now on. */
  void move(int context, int to) {
    int from = process[context];
    if (from == to) {
      return;
    }
    most = Math.max(most, to);
    others += (to == OWN ? 0 : 1) - (from == OWN ? 0 : 1);
    int priority = ready[context];
    if (priority != NOT_READY) {
      byProcess[from].idle(context, priority);
      byProcess[to].ready(context, priority);
    }
    process[context] = (byte) to;
  }

  @Override
  public void ready(int context, int priority) {
    ready[context] = (byte) priority;
    byProcess[process[context]].ready(context, priority);
  }

  @Override
  public void idle(int context, int priority) {
    ready[context] = NOT_READY;
    byProcess[process[context]].idle(context, priority);
  }

  @Override
  public boolean hasReady() {
    return others == 0 ? byProcess[OWN].hasReady() : best() >= 0;
  }

  @Override
  public int next(long now) {
    if (others == 0) {
      return byProcess[OWN].next(now);
    }
    int best = best();
    if (best < 0) {
      return -1;
    }
    cursor = best + 1;
    return byProcess[best].next(now);
  }

  /** The process that is next; -1 if none with room has work that is ready. */
  private int best() {
    int best = -1;
    int highest = NOT_READY;
    for (int i = 0; i <= most; i++) {
      int p = (cursor + i) % (most + 1);
      int priority = running[p] < share ? byProcess[p].highest() : NOT_READY;
      if (priority > highest) {
        best = p;
        highest = priority;
      }
    }
    return best;
  }

  @Override
  public void started(int context) {
    running[process[context]]++;
  }

  @Override
  public void left(int context) {
    running[process[context]]--;
  }

  @Override
  public void charge(int context, long busyNs, long now) {}
}
