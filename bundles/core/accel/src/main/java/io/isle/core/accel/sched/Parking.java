package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * Who waits for a group's ceiling: a list a group, in the order of coming. Entities are contexts or
 * servers by their id.
 */
final class Parking {
  static final int NONE = -1;

  private final int[] first;
  private final int[] last;
  private final int[] next;
  private final int[] previous;

  /** By entity, the group; {@link #NONE} when it is not parked. */
  private final int[] group;

  Parking(int entities, int groups) {
    first = new int[groups];
    last = new int[groups];
    next = new int[entities];
    previous = new int[entities];
    group = new int[entities];
    clear();
  }

  boolean contains(int entity) {
    return group[entity] != NONE;
  }

  /** The one that came first; {@link #NONE} if nobody is there. */
  int first(int g) {
    return first[g];
  }

  void add(int entity, int g) {
    group[entity] = g;
    next[entity] = NONE;
    previous[entity] = last[g];
    if (last[g] == NONE) {
      first[g] = entity;
    } else {
      next[last[g]] = entity;
    }
    last[g] = entity;
  }

  void remove(int entity) {
    int g = group[entity];
    group[entity] = NONE;
    if (previous[entity] == NONE) {
      first[g] = next[entity];
    } else {
      next[previous[entity]] = next[entity];
    }
    if (next[entity] == NONE) {
      last[g] = previous[entity];
    } else {
      previous[next[entity]] = previous[entity];
    }
  }

  void clear() {
    Arrays.fill(first, NONE);
    Arrays.fill(last, NONE);
    Arrays.fill(group, NONE);
  }
}
