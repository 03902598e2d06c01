package io.isle.core.accel.machine;

import java.util.Arrays;

/**
 * Points of each context that start again before its head, oldest first: replays after a crash, and
 * what a device gave back. Taking one allocates nothing. Not thread-safe.
 */
public final class Restarts {
  private static final long[] NONE = {};

  /** Each is a point and, in the lowest bit, whether it is a replay. */
  private final long[][] entries;

  private final int[] next;

  Restarts(int contexts) {
    entries = new long[contexts][];
    next = new int[contexts];
    Arrays.fill(entries, NONE);
  }

  public int count(int c) {
    return entries[c].length - next[c];
  }

  /** Point {@code i} of those that are left. */
  public long get(int c, int i) {
    return entries[c][next[c] + i] >> 1;
  }

  /** Whether point {@code i} of those that are left is a replay, which outlives further crashes. */
  public boolean isReplay(int c, int i) {
    return (entries[c][next[c] + i] & 1) != 0;
  }

  boolean has(int c, long point) {
    for (int i = 0; i < count(c); i++) {
      if (get(c, i) == point) {
        return true;
      }
    }
    return false;
  }

  /** Takes the oldest; there must be one. */
  long take(int c) {
    return entries[c][next[c]++] >> 1;
  }

  /** Puts back what {@link #take} gave last; false if {@code point} is not that. */
  boolean putBack(int c, long point) {
    if (next[c] == 0 || entries[c][next[c] - 1] >> 1 != point) {
      return false;
    }
    next[c]--;
    return true;
  }

  void add(int c, long point, boolean replay) {
    int count = count(c);
    long[] all = new long[count + 1];
    System.arraycopy(entries[c], next[c], all, 0, count);
    all[count] = point << 1 | (replay ? 1 : 0);
    Arrays.sort(all);
    entries[c] = all;
    next[c] = 0;
  }

  /** Takes {@code point} out; false if it is not one of those that are left. */
  boolean remove(int c, long point) {
    for (int i = 0; i < count(c); i++) {
      if (get(c, i) == point) {
        System.arraycopy(entries[c], next[c], entries[c], next[c] + 1, i);
        next[c]++;
        return true;
      }
    }
    return false;
  }

  void clear(int c) {
    entries[c] = NONE;
    next[c] = 0;
  }
}
