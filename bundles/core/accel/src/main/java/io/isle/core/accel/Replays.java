package io.isle.core.accel;

import java.util.Arrays;

/**
 * Points of each context that start again before its head, oldest first. Filled while nothing runs;
 * taking one allocates nothing. Not thread-safe.
 */
final class Replays {
  private static final long[] NONE = {};

  private final long[][] points;
  private final int[] next;

  Replays(int contexts) {
    points = new long[contexts][];
    next = new int[contexts];
    Arrays.fill(points, NONE);
  }

  int count(int c) {
    return points[c].length - next[c];
  }

  /** Point {@code i} of those that are left. */
  long get(int c, int i) {
    return points[c][next[c] + i];
  }

  /** Takes the oldest; there must be one. */
  long take(int c) {
    return points[c][next[c]++];
  }

  /** Puts back what {@link #take} gave last; false if {@code point} is not that. */
  boolean putBack(int c, long point) {
    if (next[c] == 0 || points[c][next[c] - 1] != point) {
      return false;
    }
    next[c]--;
    return true;
  }

  void add(int c, long point) {
    int count = count(c);
    long[] all = new long[count + 1];
    System.arraycopy(points[c], next[c], all, 0, count);
    all[count] = point;
    Arrays.sort(all);
    points[c] = all;
    next[c] = 0;
  }

  /** Takes {@code point} out; false if it is not one of those that are left. */
  boolean remove(int c, long point) {
    int at = Arrays.binarySearch(points[c], next[c], points[c].length, point);
    if (at < 0) {
      return false;
    }
    System.arraycopy(points[c], next[c], points[c], next[c] + 1, at - next[c]);
    next[c]++;
    return true;
  }

  void clear(int c) {
    points[c] = NONE;
    next[c] = 0;
  }
}
