package io.isle.core.accel.sched;

import java.util.Arrays;

/**
 * Start-time fair queueing, each queue by itself: a node's virtual time grows by what it was given
 * over its weight, and the node with the least is served. A queue's own virtual time is the start
 * of the node served last; who comes back begins there at the earliest, so nobody saves credit
 * while idle.
 */
final class VirtualTimes {
  static final int NONE = -1;

  /** Bits of a nanosecond at weight 1. */
  private static final int SCALE = 16;

  /** Virtual times stay below, more than what all in flight can be charged lies above. */
  private static final long REBASE = 1L << 58;

  private static final long MOST = 1L << 62;

  private final HeapForest heaps;

  /** By node, where it belongs; {@link #NONE} if nowhere. */
  private final int[] queue;

  private final long[] inverse;

  /** By queue. */
  private final long[] virtual;

  VirtualTimes(int nodes, int queues) {
    heaps = new HeapForest(nodes, queues);
    queue = new int[nodes];
    inverse = new long[nodes];
    virtual = new long[queues];
    Arrays.fill(queue, NONE);
  }

  /** The node, which is in no queue, belongs to this one. */
  void bind(int node, int q, int weight) {
    if (queue[node] != q) {
      unbind(node);
      queue[node] = q;
      heaps.join(q);
      heaps.setKey(node, virtual[q]);
    }
    inverse[node] = Long.MAX_VALUE / weight;
  }

  void unbind(int node) {
    if (queue[node] != NONE) {
      heaps.leave(queue[node]);
      queue[node] = NONE;
    }
  }

  /** Where the node belongs. */
  int queue(int node) {
    return queue[node];
  }

  boolean isEmpty(int q) {
    return heaps.isEmpty(q);
  }

  int size(int q) {
    return heaps.size(q);
  }

  /** The node to serve of a queue that is not empty. */
  int top(int q) {
    return heaps.top(q);
  }

  void insert(int q, int node) {
    heaps.setKey(node, Math.max(heaps.key(node), virtual[q]));
    heaps.insert(q, node);
  }

  void remove(int q, int node) {
    heaps.remove(q, node);
  }

  /** What is first in the queue is served. */
  void serve(int q) {
    if (heaps.isEmpty(q)) {
      return;
    }
    long start = heaps.topKey(q);
    if (start > virtual[q]) {
      virtual[q] = start;
      if (start > REBASE) {
        rebase(q);
      }
    }
  }

  /** The node of the queue, whether it is in it or not, was given so much, and then more. */
  void charge(int q, int node, long ns, long more) {
    long key = after(node, heaps.key(node), ns);
    if (more != 0) {
      key = after(node, key, more);
    }
    if (heaps.contains(node)) {
      heaps.update(q, node, key);
    } else {
      heaps.setKey(node, key);
    }
  }

  private long after(int node, long key, long ns) {
    return Math.min(MOST, key + Math.multiplyHigh(ns << (SCALE + 1), inverse[node]));
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
    heaps.clear();
  }
}
