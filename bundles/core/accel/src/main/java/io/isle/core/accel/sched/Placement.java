package io.isle.core.accel.sched;

/**
 * Where what is ready waits: in the heaps of servers, in the fair queues, in turn, or parked below
 * a group that is at its ceiling. All of it is changed here, by one machine.
 */
final class Placement {
  static final int NONE = -1;

  final CoreTime time;
  final Events events;
  final Inputs inputs = new Inputs();
  final Accounts accounts;
  final Contexts contexts;
  final Groups groups;
  final Ceilings ceilings;
  final Servers servers;
  final FairQueues fair;
  private final int capacity;
  private final Slots slots;
  private final Parking parking;
  private final ReadySet[] turns = new ReadySet[Limits.PRIORITIES];

  /** Groups at their ceiling, by when they may go on. */
  private final IndexedHeap throttled;

  /** Bits of the priorities in which a context without a server is ready. */
  private int fairMask;

  SchedulingPolicy policy;

  Placement(int capacity, int groupCapacity, Slots slots, long now) {
    this.capacity = capacity;
    this.slots = slots;
    time = new CoreTime(now);
    events = new Events(time, capacity);
    accounts = new Accounts(capacity + groupCapacity);
    contexts = new Contexts(capacity);
    groups = new Groups(groupCapacity);
    ceilings = new Ceilings(groups, time);
    servers = new Servers(capacity + groupCapacity, accounts, time, events);
    fair = new FairQueues(capacity, groups, ceilings);
    parking = new Parking(capacity + groupCapacity, groupCapacity);
    throttled = new IndexedHeap(groupCapacity);
    for (int p = 0; p < turns.length; p++) {
      turns[p] = new ReadySet(capacity);
    }
  }

  /** The context is ready now. */
  void attach(int c) {
    boolean paused = contexts.isPaused(c);
    contexts.setPaused(c, false);
    if (policy != SchedulingPolicy.GUARANTEED) {
      turns[turnOf(c)].add(c);
      return;
    }
    int s = contexts.server(c);
    int p = contexts.priority(c);
    if (s != NONE && !paused) {
      if (time.isDue()) {
        wake();
      }
      parkFirst(p);
      servers.activate(s, slots.serves(s, contexts), p);
    }
    if (s == c) {
      servers.add(c, p);
    } else {
      filled(fair.add(c), p);
    }
  }

  /**
   * It is not any more.
   *
   * @param pause it goes on being wanted
   */
  void detach(int c, boolean pause) {
    contexts.setPaused(c, pause);
    if (policy != SchedulingPolicy.GUARANTEED) {
      turns[turnOf(c)].remove(c);
      if (parking.contains(c)) {
        parking.remove(c);
      }
      return;
    }
    int s = contexts.server(c);
    int p = contexts.priority(c);
    if (s == c) {
      unwanted(c, p);
    } else {
      drained(fair.remove(c), p);
    }
    if (s != NONE && !pause) {
      servers.deactivate(s);
    }
  }

  /** A context that was paused wants nothing more. */
  void endPause(int c) {
    contexts.setPaused(c, false);
    if (policy == SchedulingPolicy.GUARANTEED && contexts.server(c) != NONE) {
      servers.deactivate(contexts.server(c));
    }
  }

  /** The context has had its turn. */
  void served(int c) {
    turns[turnOf(c)].served(c);
  }

  /** Contexts of a priority, served in turn. */
  ReadySet turn(int p) {
    return turns[p];
  }

  private int turnOf(int c) {
    return policy == SchedulingPolicy.ROUND_ROBIN ? 0 : contexts.priority(c);
  }

  private void filled(int root, int p) {
    if (root == Groups.ROOT) {
      fairMask |= 1 << p;
    } else if (root != FairQueues.NONE) {
      servers.add(capacity + root, p);
    }
  }

  private void drained(int root, int p) {
    if (root == Groups.ROOT) {
      fairMask &= ~(1 << p);
    } else if (root != FairQueues.NONE) {
      unwanted(capacity + root, p);
    }
  }

  private void unwanted(int s, int p) {
    servers.remove(s, p);
    if (!servers.isWanted(s) && parking.contains(s)) {
      parking.remove(s);
      servers.show(s);
    }
  }

  /** The context to serve now; {@link #NONE} if there is none. */
  int pick() {
    if (time.isDue()) {
      wake();
    }
    return policy == SchedulingPolicy.GUARANTEED ? pickByServer() : pickInTurn();
  }

  /** How the context would run now, as in {@link Slots}. */
  int gradeOf(int c) {
    int s = contexts.server(c);
    if (policy != SchedulingPolicy.GUARANTEED || s == NONE) {
      return Slots.FAIR;
    }
    return servers.hasBudget(s) ? Slots.COVERED : Slots.SPARE;
  }

  private int pickByServer() {
    for (int mask = servers.eligibleMask(); mask != 0; mask = servers.eligibleMask()) {
      int p = highest(mask);
      int s = servers.eligibleTop(p);
      if (!ceilings.isBlocked(groupOf(s))) {
        return s < capacity ? s : fair.pick(FairQueues.queue(s - capacity, p));
      }
      park(s);
    }
    if (fairMask != 0) {
      return fair.pick(highest(fairMask));
    }
    for (int mask = servers.exhaustedMask(); mask != 0; mask = servers.exhaustedMask()) {
      int p = highest(mask);
      int s = servers.exhaustedTop(p);
      if (!ceilings.isBlocked(groupOf(s))) {
        return s < capacity ? s : fair.pick(FairQueues.queue(s - capacity, p));
      }
      park(s);
    }
    return NONE;
  }

  private int pickInTurn() {
    for (int p = Limits.PRIORITIES - 1; p >= 0; p--) {
      while (!turns[p].isEmpty()) {
        int c = turns[p].next();
        int group = contexts.group(c);
        if (!ceilings.isBlocked(group)) {
          return c;
        }
        turns[p].remove(c);
        parking.add(c, ceilings.blockedBy(group));
      }
    }
    return NONE;
  }

  private int groupOf(int s) {
    return s < capacity ? contexts.group(s) : s - capacity;
  }

  /** Servers with budget that are at a ceiling are not the first in a priority. */
  private void parkFirst(int p) {
    while ((servers.eligibleMask() & 1 << p) != 0
        && ceilings.isBlocked(groupOf(servers.eligibleTop(p)))) {
      park(servers.eligibleTop(p));
    }
  }

  private void park(int s) {
    servers.hide(s);
    parking.add(s, ceilings.blockedBy(groupOf(s)));
  }

  private static int highest(int mask) {
    return 31 - Integer.numberOfLeadingZeros(mask);
  }

  /**
   * Charges a submission in flight for more than was charged in advance, or less.
   *
   * @param grade how it runs, as in {@link Slots}
   */
  void charge(int c, int grade, long more) {
    if (policy == SchedulingPolicy.GUARANTEED) {
      int s = contexts.server(c);
      if (s != c) {
        fair.correct(c, more);
      }
      if (s != NONE && grade == Slots.COVERED && servers.correct(s, more)) {
        servers.requeue(s);
      }
    }
    for (int g = contexts.ceiling(c); g >= 0; g = ceilings.above(g)) {
      if (ceilings.correct(g, more)) {
        weigh(g);
      }
    }
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
        for (int p = 0; p < Limits.PRIORITIES; p++) {
          if (!fair.isEmpty(FairQueues.queue(below, p))) {
            drained(fair.removeGroup(FairQueues.queue(below, p)), p);
          }
        }
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
        for (int p = 0; p < Limits.PRIORITIES; p++) {
          if (!fair.isEmpty(FairQueues.queue(below, p))) {
            filled(fair.addGroup(FairQueues.queue(below, p)), p);
          }
        }
      }
    }
    for (int s = parking.first(g); s != Parking.NONE; s = parking.first(g)) {
      parking.remove(s);
      if (policy == SchedulingPolicy.GUARANTEED) {
        servers.show(s);
      } else {
        turns[turnOf(s)].add(s);
      }
    }
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

  private void wake() {
    servers.wake();
    while (!throttled.isEmpty() && throttled.topKey() <= time.now()) {
      weigh(throttled.top());
    }
    time.setAlarm(nextDue());
  }

  long nextDue() {
    long due = servers.nextDue();
    return throttled.isEmpty() ? due : Math.min(due, throttled.topKey());
  }

  /** Nothing waits anywhere and no ceiling is in force; budgets and virtual times stay. */
  void clear() {
    for (ReadySet turn : turns) {
      turn.clear();
    }
    servers.clear();
    fair.clear();
    fairMask = 0;
    parking.clear();
    while (!throttled.isEmpty()) {
      int g = throttled.top();
      throttled.remove(g);
      ceilings.setThrottled(g, false);
    }
  }
}
