package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * Weighted fair queueing over the tree of groups (start-time fair queueing, hierarchical): each
 * group has a queue a priority, whose children are its contexts and the groups below it, each with
 * a virtual time that grows by what it was given over its weight. A queue's own virtual time is the
 * start of the child served last; who comes back begins there at the earliest, so nobody saves
 * credit while idle. A group with a server is the root of a tree of its own.
 */
final class FairQueues {
  static final int NONE = -1;

  /** Bits of a nanosecond at weight 1. */
  private static final int SCALE = 16;

  /** Virtual times stay below, more than what all in flight can be charged lies above. */
  private static final long REBASE = 1L << 58;

  private static final long MOST = 1L << 62;

  private final Groups groups;
  private final Ceilings ceilings;
  private final int contexts;

  /** A heap a queue: group times priorities, plus priority. */
  private final HeapForest heaps;

  /** By node: contexts, then groups times priorities. */
  private final int[] queue;

  private final long[] inverse;

  /** By queue. */
  private final long[] virtual;

  /** Who was charged last, which nobody has looked at since; {@link #NONE} if somebody has. */
  private int late = NONE;

  private long lateStart;
  private long lateMore;

  FairQueues(int contexts, Groups groups, Ceilings ceilings) {
    this.ceilings = ceilings;
    this.contexts = contexts;
    this.groups = groups;
    int queues = groups.capacity() * Limits.PRIORITIES;
    heaps = new HeapForest(contexts + queues, queues);
    queue = new int[contexts + queues];
    inverse = new long[contexts + queues];
    virtual = new long[queues];
    Arrays.fill(queue, NONE);
  }

  static int queue(int group, int priority) {
    return group << 2 | priority;
  }

  /** The context joins a group. It must not be in a queue. */
  void join(int context, int group, int priority) {
    bind(context, queue(group, priority), Limits.DEFAULT_WEIGHT);
  }

  void leave(int context) {
    unbind(context);
  }

  /** The group is new, or belongs elsewhere, or has another weight. It must not be queued. */
  void joinGroup(int group) {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      bind(contexts + queue(group, p), queue(groups.above(group), p), groups.weight(group));
    }
  }

  /** A group that is gone; nothing of it is queued. */
  void leaveGroup(int group) {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      unbind(contexts + queue(group, p));
      virtual[queue(group, p)] = 0;
    }
  }

  private void bind(int node, int to, int weight) {
    settle();
    if (queue[node] != to) {
      unbind(node);
      queue[node] = to;
      heaps.join(to);
      heaps.setKey(node, virtual[to]);
    }
    inverse[node] = Long.MAX_VALUE / weight;
  }

  private void unbind(int node) {
    settle();
    if (queue[node] != NONE) {
      heaps.leave(queue[node]);
      queue[node] = NONE;
    }
  }

  boolean isEmpty(int q) {
    return heaps.isEmpty(q);
  }

  /** The context that the tree below a queue, which is not empty, serves next. */
  int pick(int q) {
    settle();
    int node = heaps.top(q);
    while (node >= contexts) {
      node = heaps.top(node - contexts);
    }
    return node;
  }

  /** Whether nothing but the context, which is picked, is in its tree. */
  boolean isAlone(int context) {
    int node = context;
    for (; ; ) {
      int q = queue[node];
      if (heaps.size(q) != 1) {
        return false;
      }
      if (groups.isTreeRoot(q >> 2)) {
        return true;
      }
      node = contexts + q;
    }
  }

  /** Returns the root of the tree in which there is something now, {@link #NONE} if there was. */
  int add(int context) {
    return fill(context);
  }

  /** Returns the root of the tree in which there is nothing any more, {@link #NONE} if there is. */
  int remove(int context) {
    return drain(context);
  }

  /** A group whose queue is not empty may be served; returns as {@link #add}. */
  int addGroup(int q) {
    return fill(contexts + q);
  }

  /** It may not any more; returns as {@link #remove}. */
  int removeGroup(int q) {
    return drain(contexts + q);
  }

  private int fill(int from) {
    settle();
    int node = from;
    for (; ; ) {
      int q = queue[node];
      boolean first = heaps.isEmpty(q);
      heaps.setKey(node, Math.max(heaps.key(node), virtual[q]));
      heaps.insert(q, node);
      if (!first) {
        return NONE;
      }
      int group = q >> 2;
      if (groups.isTreeRoot(group)) {
        return group;
      }
      if (ceilings.isHeld(group)) {
        return NONE;
      }
      node = contexts + q;
    }
  }

  private int drain(int from) {
    settle();
    int node = from;
    for (; ; ) {
      int q = queue[node];
      heaps.remove(q, node);
      if (!heaps.isEmpty(q)) {
        return NONE;
      }
      int group = q >> 2;
      if (groups.isTreeRoot(group)) {
        return group;
      }
      if (ceilings.isHeld(group)) {
        return NONE;
      }
      node = contexts + q;
    }
  }

  /** The context runs and is charged in advance. */
  void start(int context, long ns) {
    settle();
    late = context;
    lateStart = ns;
    lateMore = 0;
  }

  /** What was charged in advance was too little, or too much. */
  void correct(int context, long ns) {
    if (late == context && lateMore == 0) {
      lateMore = ns;
      return;
    }
    settle();
    int node = context;
    for (; ; ) {
      int q = queue[node];
      move(q, node, charged(node, heaps.key(node), ns));
      if (groups.isTreeRoot(q >> 2)) {
        return;
      }
      node = contexts + q;
    }
  }

  /**
   * Orders the queues by what was charged last, start and correction at once: nobody looks at them
   * between the two where submissions run one after the other.
   */
  private void settle() {
    if (late == NONE) {
      return;
    }
    int node = late;
    late = NONE;
    for (; ; ) {
      int q = queue[node];
      if (!heaps.isEmpty(q)) {
        pass(q, heaps.topKey(q));
      }
      long key = charged(node, heaps.key(node), lateStart);
      move(q, node, lateMore == 0 ? key : charged(node, key, lateMore));
      if (groups.isTreeRoot(q >> 2)) {
        return;
      }
      node = contexts + q;
    }
  }

  private long charged(int node, long key, long ns) {
    return Math.min(MOST, key + Math.multiplyHigh(ns << (SCALE + 1), inverse[node]));
  }

  private void move(int q, int node, long key) {
    if (heaps.contains(node)) {
      heaps.update(q, node, key);
    } else {
      heaps.setKey(node, key);
    }
  }

  private void pass(int q, long start) {
    if (start > virtual[q]) {
      virtual[q] = start;
      if (start > REBASE) {
        rebase(q);
      }
    }
  }

  /** Once in hours: takes what all have in common off a queue's virtual times. */
  private void rebase(int q) {
    long base = Math.min(virtual[q], heaps.topKey(q));
    virtual[q] -= base;
    heaps.lower(q, base);
    for (int node = 0; node < queue.length; node++) {
      if (queue[node] == q && !heaps.contains(node)) {
        heaps.setKey(node, Math.max(0, heaps.key(node) - base));
      }
    }
  }

  int nodes() {
    return queue.length;
  }

  int queues() {
    return virtual.length;
  }

  long key(int node) {
    settle();
    return heaps.key(node);
  }

  /** Of a node that is in no queue. */
  void restoreKey(int node, long key) {
    if (key != heaps.key(node)) {
      heaps.setKey(node, key);
    }
  }

  long time(int q) {
    return virtual[q];
  }

  void restoreTime(int q, long time) {
    virtual[q] = time;
  }

  /** Empties all queues; virtual times stay. */
  void clear() {
    settle();
    heaps.clear();
  }
}
