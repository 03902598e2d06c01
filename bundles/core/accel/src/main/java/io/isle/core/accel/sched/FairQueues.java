package io.isle.core.accel.sched;

/**
 * Weighted fair queueing over the tree of groups: each group has a queue a priority, whose children
 * are its contexts and the groups below it, with virtual times as in {@link VirtualTimes}. A group
 * with a server is the root of a tree of its own.
 */
final class FairQueues {
  static final int NONE = -1;

  private final Groups groups;
  private final Ceilings ceilings;
  private final int contexts;

  /** Queues are groups times priorities; nodes are contexts, then these. */
  private final VirtualTimes times;

  /** Who was charged last, which nobody has looked at since; {@link #NONE} if somebody has. */
  private int late = NONE;

  private long lateStart;
  private long lateMore;

  FairQueues(int contexts, Groups groups, Ceilings ceilings) {
    this.ceilings = ceilings;
    this.contexts = contexts;
    this.groups = groups;
    int queues = groups.capacity() * Limits.PRIORITIES;
    times = new VirtualTimes(contexts + queues, queues);
  }

  static int queue(int group, int priority) {
    return group << 2 | priority;
  }

  /** The context joins a group. It must not be in a queue. */
  void join(int context, int group, int priority) {
    settle();
    times.bind(context, queue(group, priority), Limits.DEFAULT_WEIGHT);
  }

  void leave(int context) {
    settle();
    times.unbind(context);
  }

  /** The group is new, or belongs elsewhere, or has another weight. It must not be queued. */
  void joinGroup(int group) {
    settle();
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      times.bind(contexts + queue(group, p), queue(groups.above(group), p), groups.weight(group));
    }
  }

  /** A group that is gone; nothing of it is queued. */
  void leaveGroup(int group) {
    settle();
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      times.unbind(contexts + queue(group, p));
      times.restoreTime(queue(group, p), 0);
    }
  }

  boolean isEmpty(int q) {
    return times.isEmpty(q);
  }

  /** The context that the tree below a queue, which is not empty, serves next. */
  int pick(int q) {
    settle();
    int node = times.top(q);
    while (node >= contexts) {
      node = times.top(node - contexts);
    }
    return node;
  }

  /** Whether nothing but the context, which is picked, is in its tree. */
  boolean isAlone(int context) {
    int node = context;
    for (; ; ) {
      int q = times.queue(node);
      if (times.size(q) != 1) {
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
      int q = times.queue(node);
      boolean first = times.isEmpty(q);
      times.insert(q, node);
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
      int q = times.queue(node);
      times.remove(q, node);
      if (!times.isEmpty(q)) {
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
      int q = times.queue(node);
      times.charge(q, node, ns, 0);
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
      int q = times.queue(node);
      times.serve(q);
      times.charge(q, node, lateStart, lateMore);
      if (groups.isTreeRoot(q >> 2)) {
        return;
      }
      node = contexts + q;
    }
  }

  /** All that was charged is in them. */
  VirtualTimes times() {
    settle();
    return times;
  }

  /** Empties all queues; virtual times stay. */
  void clear() {
    settle();
    times.clear();
  }
}
