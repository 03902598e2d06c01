package io.isle.core.accel.sched;

/**
 * Which groups are at their ceiling: what they have ready leaves the queues above them when their
 * bucket is empty, and comes back when it is not.
 */
final class Throttling {
  private final CoreTime time;
  private final Events events;
  private final Groups groups;
  private final Ceilings ceilings;
  private final ReadyQueues queues;

  /** By when they may go on. */
  private final IndexedHeap throttled;

  Throttling(CoreTime time, Events events, Groups groups, Ceilings ceilings, ReadyQueues queues) {
    this.time = time;
    this.events = events;
    this.groups = groups;
    this.ceilings = ceilings;
    this.queues = queues;
    throttled = new IndexedHeap(groups.capacity());
  }

  /** The bucket of the group has changed: the group may go on, or not. */
  void weigh(int g) {
    boolean empty = ceilings.settle(g);
    if (empty == ceilings.isThrottled(g)) {
      if (empty) {
        throttled.update(g, ceilings.releaseAt(g));
        time.wakeBy(ceilings.releaseAt(g));
      }
    } else if (empty) {
      throttle(g);
    } else {
      release(g);
    }
  }

  private void throttle(int g) {
    long due = ceilings.releaseAt(g);
    throttled.insert(g, due);
    time.wakeBy(due);
    for (int below = 0; below < groups.capacity(); below++) {
      if (waitsAbove(below, g)) {
        queues.removeGroup(below);
      }
    }
    ceilings.setThrottled(g, true);
    events.event(Journal.THROTTLE, -1 - g, 0, ceilings.tokens(g), due);
  }

  private void release(int g) {
    throttled.remove(g);
    ceilings.setThrottled(g, false);
    for (int below = 0; below < groups.capacity(); below++) {
      if (waitsAbove(below, g)) {
        queues.addGroup(below);
      }
    }
    queues.unpark(g);
    events.event(Journal.RELEASE, -1 - g, 0, ceilings.tokens(g), ceilings.refillAt(g));
  }

  /**
   * Whether a group is {@code g} or below it and may be in a queue of one that is neither, as far
   * as ceilings that are in force now go.
   */
  private boolean waitsAbove(int below, int g) {
    return groups.isPresent(below)
        && !groups.isTreeRoot(below)
        && groups.isWithin(below, g)
        && !groups.isWithin(groups.above(below), g)
        && !ceilings.isHeld(below);
  }

  /** Those that are due go on. */
  void wake() {
    while (!throttled.isEmpty() && throttled.topKey() <= time.now()) {
      weigh(throttled.top());
    }
  }

  /** When the next is due; {@link CoreTime#NEVER} if none will be. */
  long nextDue() {
    return throttled.isEmpty() ? CoreTime.NEVER : throttled.topKey();
  }

  /** No ceiling is in force; nothing is queued. */
  void clear() {
    while (!throttled.isEmpty()) {
      int g = throttled.top();
      throttled.remove(g);
      ceilings.setThrottled(g, false);
    }
  }
}
