package io.isle.core.drivers.nativecode.device;

import io.isle.lib.shm.StartedTable;

/**
 * Which submissions in flight have not yet been seen to start, and the look at the driver's table
 * of starts. The table is read at most twice a millisecond: a start counts from the time that
 * stands in it, however late it is read, but never later than now. The agent's thread only;
 * allocates nothing.
 */
public final class Starts {
  private static final long PERIOD_NS = 500_000;

  private final StartedTable table;
  private final Listener listener;
  private final long[] tags;
  private final boolean[] listed;
  private final int[] waiting;
  private int count;
  private long lookedNs;

  /** Whom to tell. */
  @FunctionalInterface
  public interface Listener {
    void started(long tag, long ns);
  }

  Starts(StartedTable table, Listener listener) {
    this.table = table;
    this.listener = listener;
    this.tags = new long[table.entries()];
    this.listed = new boolean[table.entries()];
    this.waiting = new int[table.entries()];
  }

  void submitted(long tag) {
    int index = (int) tag;
    tags[index] = tag;
    if (!listed[index]) {
      listed[index] = true;
      waiting[count++] = index;
    }
  }

  /** A completion, of anything: its tag is the driver's word. */
  void ended(long tag) {
    int index = (int) tag;
    if (index >= 0 && index < tags.length && tags[index] == tag) {
      tags[index] = 0;
    }
  }

  void look(long nowNs) {
    if (count == 0 || nowNs - lookedNs < PERIOD_NS) {
      return;
    }
    lookedNs = nowNs;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int index = waiting[i];
      long tag = tags[index];
      long start = tag == 0 ? 0 : table.startNs(tag);
      if (start != 0) {
        listener.started(tag, Math.min(start, nowNs));
      }
      if (tag != 0 && start == 0) {
        waiting[kept++] = index;
      } else {
        listed[index] = false;
      }
    }
    count = kept;
  }
}
