package io.isle.apps.jobs.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A set of points of time as intervals, in no order when they are added. Those that touch become
 * one; with a limit, neighbours do, too, once there are more. Used under a lock.
 */
final class Intervals {
  private static final int FIRST = 1024;

  private record Interval(long from, long to) {}

  private final int limit;
  private List<Interval> intervals = new ArrayList<>();

  /** So many are there before they are joined again. */
  private int room = FIRST;

  private long gapNs;

  /**
   * @param limit about how many are kept apart; {@link Integer#MAX_VALUE} for all
   */
  Intervals(int limit) {
    this.limit = limit;
  }

  void add(long fromNs, long toNs) {
    if (intervals.size() == room) {
      compact();
      room = Math.max(room, 2 * intervals.size());
    }
    intervals.add(new Interval(fromNs, Math.max(fromNs, toNs)));
  }

  /** Puts them in order and joins those that touch, or are nearer than the limit allows. */
  private void compact() {
    intervals.sort(Comparator.comparingLong(Interval::from));
    join();
    while (intervals.size() > limit) {
      gapNs = Math.max(1000, 2 * gapNs);
      join();
    }
  }

  private void join() {
    List<Interval> joined = new ArrayList<>();
    for (Interval next : intervals) {
      Interval last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && next.from() - last.to() <= gapNs) {
        joined.set(joined.size() - 1, new Interval(last.from(), Math.max(last.to(), next.to())));
      } else {
        joined.add(next);
      }
    }
    intervals = joined;
  }

  /** How much of a span they cover. */
  long covered(long fromNs, long toNs) {
    compact();
    return intervals.stream()
        .mapToLong(each -> Math.max(0, Math.min(each.to(), toNs) - Math.max(each.from(), fromNs)))
        .sum();
  }

  /** In order, from and to by turns. */
  long[] list() {
    compact();
    long[] list = new long[2 * intervals.size()];
    for (int i = 0; i < intervals.size(); i++) {
      list[2 * i] = intervals.get(i).from();
      list[2 * i + 1] = intervals.get(i).to();
    }
    return list;
  }
}
