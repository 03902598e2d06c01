package io.isle.core.accel.sched;

/** The tree of groups as one device sees it. */
final class Groups {
  static final int ROOT = 0;
  static final int NONE = -1;

  private final int[] parent;

  /** In whose queues a group that is no root of a tree waits. */
  private final int[] above;

  private final boolean[] present;
  private final boolean[] served;
  private final int[] weight;
  private final long[] guaranteeQuota;
  private final long[] guaranteePeriod;
  private final long[] reserved;
  private final long[] given;

  Groups(int capacity) {
    parent = new int[capacity];
    above = new int[capacity];
    present = new boolean[capacity];
    served = new boolean[capacity];
    weight = new int[capacity];
    guaranteeQuota = new long[capacity];
    guaranteePeriod = new long[capacity];
    reserved = new long[capacity];
    given = new long[capacity];
    add(ROOT, NONE);
  }

  int capacity() {
    return parent.length;
  }

  boolean isPresent(int g) {
    return present[g];
  }

  void add(int g, int below) {
    present[g] = true;
    parent[g] = below;
    above[g] = below;
    weight[g] = Limits.DEFAULT_WEIGHT;
    given[g] = 0;
  }

  /** What it was given stays with its parent. */
  void remove(int g) {
    given[parent[g]] += given[g];
    present[g] = false;
    served[g] = false;
    guaranteeQuota[g] = 0;
    guaranteePeriod[g] = 0;
  }

  int parent(int g) {
    return parent[g];
  }

  void setParent(int g, int to) {
    parent[g] = to;
  }

  /** The nearest group above without a server over it, for one that does not share its parent's. */
  int above(int g) {
    return above[g];
  }

  void setAbove(int g, int to) {
    above[g] = to;
  }

  int weight(int g) {
    return weight[g];
  }

  void setWeight(int g, int value) {
    weight[g] = value;
  }

  /** Whether {@code g} is {@code other} or below it. */
  boolean isWithin(int g, int other) {
    int at = g;
    while (at != NONE && at != other) {
      at = parent[at];
    }
    return at == other;
  }

  long guaranteeQuota(int g) {
    return guaranteeQuota[g];
  }

  long guaranteePeriod(int g) {
    return guaranteePeriod[g];
  }

  void setGuarantee(int g, long quotaNs, long periodNs) {
    guaranteeQuota[g] = quotaNs;
    guaranteePeriod[g] = periodNs;
  }

  /** Whether it does not share what its parent is guaranteed, be its own guarantee nothing. */
  boolean hasOwn(int g) {
    return guaranteePeriod[g] != 0;
  }

  /** The group whose guarantee {@code g} has a part of, maybe its own; {@link #NONE} if none. */
  int guaranteed(int g) {
    int at = g;
    while (at != NONE && guaranteeQuota[at] == 0) {
      at = hasOwn(at) ? NONE : parent[at];
    }
    return at;
  }

  /** What of the group's guarantee belongs to those below that have one of their own. */
  long reserved(int g) {
    return reserved[g];
  }

  void setCarved(int g, long ns) {
    reserved[g] = ns;
  }

  /** Whether it has a server, so that its contexts are not part of the tree above it. */
  boolean isServed(int g) {
    return served[g];
  }

  void setServed(int g, boolean now) {
    served[g] = now;
  }

  boolean isTreeRoot(int g) {
    return g == ROOT || served[g];
  }

  /** Given to it alone, and to those that were below it and are gone. */
  long ownNs(int g) {
    return given[g];
  }

  void given(int g, long ns) {
    given[g] += ns;
  }

  /** Given to it and all below. */
  long givenNs(int g) {
    long sum = 0;
    for (int below = 0; below < given.length; below++) {
      if (present[below] && isWithin(below, g)) {
        sum += given[below];
      }
    }
    return sum;
  }
}
