package io.isle.apps.jobs.measure;

import java.util.Arrays;

/**
 * A set of points of time as intervals, in no order when they are added. Those that touch become
 * one; with a limit, neighbours do, too, once there are more. Used under a lock.
 */
final class Intervals {
  private static final int FIRST = 1024;

  private final int limit;
  private long[] from = new long[FIRST];
  private long[] to = new long[FIRST];
  private int count;
  private long gapNs;

  /**
   * @param limit about how many are kept apart; {@link Integer#MAX_VALUE} for all
   */
  Intervals(int limit) {
    this.limit = limit;
  }

  void add(long fromNs, long toNs) {
    if (count == from.length) {
      compact();
      if (count > from.length / 2) {
        from = Arrays.copyOf(from, 2 * from.length);
        to = Arrays.copyOf(to, 2 * to.length);
      }
    }
    from[count] = fromNs;
    to[count++] = Math.max(fromNs, toNs);
  }

  /** Puts them in order and joins those that touch, or are nearer than the limit allows. */
  private void compact() {
    sort();
    join();
    while (count > limit) {
      gapNs = Math.max(1000, 2 * gapNs);
      join();
    }
  }

  private void sort() {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    long[] starts = from;
    long[] ends = to;
    Arrays.sort(order, (a, b) -> Long.compare(starts[a], starts[b]));
    long[] sortedFrom = new long[from.length];
    long[] sortedTo = new long[to.length];
    for (int i = 0; i < count; i++) {
      sortedFrom[i] = starts[order[i]];
      sortedTo[i] = ends[order[i]];
    }
    from = sortedFrom;
    to = sortedTo;
  }

  private void join() {
    int last = -1;
    for (int i = 0; i < count; i++) {
      if (last >= 0 && from[i] - to[last] <= gapNs) {
        to[last] = Math.max(to[last], to[i]);
      } else {
        last++;
        from[last] = from[i];
        to[last] = to[i];
      }
    }
    count = last + 1;
  }

  /** How much of a span they cover. */
  long covered(long fromNs, long toNs) {
    compact();
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.max(0, Math.min(to[i], toNs) - Math.max(from[i], fromNs));
    }
    return sum;
  }

  /** In order, from and to by turns. */
  long[] list() {
    compact();
    long[] list = new long[2 * count];
    for (int i = 0; i < count; i++) {
      list[2 * i] = from[i];
      list[2 * i + 1] = to[i];
    }
    return list;
  }
}
