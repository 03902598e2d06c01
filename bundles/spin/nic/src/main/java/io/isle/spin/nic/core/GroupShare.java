package io.isle.spin.nic.core;

/**
 * A group's ready queues, in turn, and its weighted HPU time. A running task counts as long as it
 * has run.
 */
final class GroupShare {
  static final int NORMAL_WEIGHT = 100;

  private static final long FOLD_NS = 1L << 40;

  private final String group;
  private int weight = NORMAL_WEIGHT;
  private int contexts;
  private MessageQueue first;
  private MessageQueue last;
  private int taken;
  private int running;
  private long startSum;
  private long charged;
  private long base;

  GroupShare(String group) {
    this.group = group;
  }

  String group() {
    return group;
  }

  /** Adds or removes contexts; returns whether one is left. */
  boolean contexts(int change) {
    contexts += change;
    return contexts > 0;
  }

  /** Whether the group has work, running or not. */
  boolean active() {
    return first != null || taken > 0;
  }

  /** One of the group's tasks is on its way to an HPU. */
  void took() {
    taken++;
  }

  /** A task that has not started is lost. */
  void dropped() {
    taken--;
  }

  boolean isReady() {
    return first != null;
  }

  /** Weighted HPU time; only differences have a meaning, as it wraps. */
  long time(long nowNs) {
    return base + scaled(charged + running * nowNs - startSum);
  }

  /** A group that was idle starts at the time of another. */
  void startAt(long time, long nowNs) {
    long behind = time - time(nowNs);
    if (behind > 0) {
      base += behind;
    }
  }

  void weight(int value, long nowNs) {
    base = time(nowNs);
    charged = startSum - running * nowNs;
    weight = value;
  }

  void started(long nowNs) {
    running++;
    startSum += nowNs;
  }

  void ended(long startNs, long nowNs) {
    taken--;
    running--;
    startSum -= startNs;
    charged += nowNs - startNs;
    if (charged > FOLD_NS) {
      base += scaled(charged);
      charged = 0;
    }
  }

  private long scaled(long ns) {
    return ns * NORMAL_WEIGHT / weight;
  }

  /** Puts a queue behind the others. */
  void add(MessageQueue queue) {
    queue.listed = true;
    queue.following = null;
    if (first == null) {
      first = queue;
    } else {
      last.following = queue;
    }
    last = queue;
  }

  MessageQueue remove() {
    MessageQueue queue = first;
    first = queue.following;
    queue.following = null;
    queue.listed = false;
    return queue;
  }

  /** Takes the queues of a context out. */
  void removeAll(NicContext context) {
    MessageQueue queue = first;
    first = null;
    while (queue != null) {
      MessageQueue next = queue.following;
      queue.listed = false;
      queue.following = null;
      if (queue.context() != context) {
        add(queue);
      }
      queue = next;
    }
  }
}
