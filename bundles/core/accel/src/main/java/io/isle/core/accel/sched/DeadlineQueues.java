package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * Servers that have something ready, by priority: those with budget by earliest deadline, the
 * others by when there will be budget again. A server is in the queues of all priorities in which
 * it is wanted, unless it is hidden.
 */
final class DeadlineQueues {
  private final CoreTime time;

  /** By server, a bit a priority in which it has something that is ready. */
  private final byte[] wanted;

  private final boolean[] hidden;
  private final IndexedHeap[] eligible = new IndexedHeap[Limits.PRIORITIES];
  private final IndexedHeap[] exhausted = new IndexedHeap[Limits.PRIORITIES];
  private int eligibleMask;
  private int exhaustedMask;

  DeadlineQueues(int servers, CoreTime time) {
    this.time = time;
    wanted = new byte[servers];
    hidden = new boolean[servers];
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      eligible[p] = new IndexedHeap(servers);
      exhausted[p] = new IndexedHeap(servers);
    }
  }

  boolean isWanted(int s) {
    return wanted[s] != 0;
  }

  /** Whether the highest priorities in which both are wanted are the same. */
  boolean areEqual(int s, int other) {
    return Integer.highestOneBit(wanted[s]) == Integer.highestOneBit(wanted[other]);
  }

  /**
   * It has something ready in this priority.
   *
   * @param key its deadline, or when it has budget again
   */
  void add(int s, int p, boolean budget, long key) {
    wanted[s] |= (byte) (1 << p);
    if (!hidden[s]) {
      putIn(s, p, budget, key);
    }
  }

  void remove(int s, int p) {
    wanted[s] &= (byte) ~(1 << p);
    if (!hidden[s]) {
      takeOut(s, p);
    }
  }

  /** Its budget or deadline is another. */
  void replace(int s, boolean budget, long key) {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      if (!hidden[s] && (wanted[s] & 1 << p) != 0) {
        takeOut(s, p);
        putIn(s, p, budget, key);
      }
    }
  }

  /** Whatever it has ready does not count until {@link #show}. */
  void hide(int s) {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      if ((wanted[s] & 1 << p) != 0) {
        takeOut(s, p);
      }
    }
    hidden[s] = true;
  }

  void show(int s, boolean budget, long key) {
    hidden[s] = false;
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      if ((wanted[s] & 1 << p) != 0) {
        putIn(s, p, budget, key);
      }
    }
  }

  private void putIn(int s, int p, boolean budget, long key) {
    if (budget) {
      eligible[p].insert(s, key);
      eligibleMask |= 1 << p;
    } else {
      exhausted[p].insert(s, key);
      exhaustedMask |= 1 << p;
      time.wakeBy(key);
    }
  }

  private void takeOut(int s, int p) {
    if (eligible[p].contains(s)) {
      eligible[p].remove(s);
      if (eligible[p].isEmpty()) {
        eligibleMask &= ~(1 << p);
      }
    } else {
      exhausted[p].remove(s);
      if (exhausted[p].isEmpty()) {
        exhaustedMask &= ~(1 << p);
      }
    }
  }

  /** Bits of the priorities in which a server with budget has something ready. */
  int eligibleMask() {
    return eligibleMask;
  }

  int exhaustedMask() {
    return exhaustedMask;
  }

  /** The server with the earliest deadline; there must be one. */
  int eligibleTop(int p) {
    return eligible[p].top();
  }

  long eligibleDeadline(int p) {
    return eligible[p].topKey();
  }

  int exhaustedTop(int p) {
    return exhausted[p].top();
  }

  /** When the next of the priority has budget again; {@link CoreTime#NEVER} if none will. */
  long exhaustedDue(int p) {
    return exhausted[p].isEmpty() ? CoreTime.NEVER : exhausted[p].topKey();
  }

  /** As {@link #exhaustedDue(int)}, of all priorities. */
  long nextDue() {
    long due = CoreTime.NEVER;
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      due = Math.min(due, exhaustedDue(p));
    }
    return due;
  }

  /** Nothing is wanted any more. */
  void clear() {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      eligible[p].clear();
      exhausted[p].clear();
    }
    eligibleMask = 0;
    exhaustedMask = 0;
    Arrays.fill(wanted, (byte) 0);
    Arrays.fill(hidden, false);
  }
}
