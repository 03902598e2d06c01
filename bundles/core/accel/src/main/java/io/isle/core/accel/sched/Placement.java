package io.isle.core.accel.sched;

/** What is ready, and what of it is served next. The parts of one machine meet here. */
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
  final ReadyQueues queues;
  final Throttling throttling;
  private final DeadlineQueues deadlines;
  private final Slots slots;

  Placement(int capacity, int groupCapacity, Slots slots, SchedulingPolicy policy, long now) {
    this.slots = slots;
    time = new CoreTime(now);
    events = new Events(time, capacity);
    accounts = new Accounts(capacity + groupCapacity);
    contexts = new Contexts(capacity);
    groups = new Groups(groupCapacity);
    ceilings = new Ceilings(groups, time);
    servers = new Servers(capacity + groupCapacity, accounts, time, events);
    deadlines = servers.deadlines;
    fair = new FairQueues(capacity, groups, ceilings);
    queues = new ReadyQueues(contexts, groups, ceilings, servers, fair, policy);
    throttling = new Throttling(time, events, groups, ceilings, queues);
  }

  SchedulingPolicy policy() {
    return queues.policy();
  }

  /** Whether contexts are served by servers and weights. */
  boolean isGuaranteed() {
    return queues.policy() == SchedulingPolicy.GUARANTEED;
  }

  /** The context has something that could start. */
  void ready(int c) {
    contexts.setReady(c, true);
    turnBlocked(c);
    if (!contexts.isPaused(c)) {
      accounts.row[(c << Accounts.SHIFT) + Accounts.SINCE] = time.now();
    }
    attach(c);
    event(Journal.READY, c, 0);
  }

  /**
   * It has nothing any more.
   *
   * @param pause it goes on being wanted
   */
  void rest(int c, boolean pause) {
    contexts.setReady(c, false);
    turnBlocked(c);
    detach(c, pause);
    event(Journal.IDLE, c, 0);
  }

  /** Time at a ceiling counts from here on, or does not. */
  private void turnBlocked(int c) {
    contexts.setBlocked(c, ceilings.blockedNs(contexts.group(c)) - contexts.blocked(c));
  }

  /** What is ready waits in the queues. */
  void attach(int c) {
    boolean paused = contexts.isPaused(c);
    contexts.setPaused(c, false);
    int s = contexts.server(c);
    if (isGuaranteed() && s != NONE && !paused) {
      if (time.isDue()) {
        wake();
      }
      int p = contexts.priority(c);
      parkFirst(p);
      servers.activate(s, slots.serves(s, contexts), p);
    }
    queues.add(c);
  }

  private void detach(int c, boolean pause) {
    contexts.setPaused(c, pause);
    queues.remove(c);
    if (!pause) {
      deactivate(c);
    }
  }

  /** A context that was paused wants nothing more. */
  void endPause(int c) {
    contexts.setPaused(c, false);
    deactivate(c);
  }

  private void deactivate(int c) {
    if (isGuaranteed() && contexts.server(c) != NONE) {
      servers.deactivate(contexts.server(c));
    }
  }

  /** Servers with budget that are at a ceiling are not the first in a priority. */
  private void parkFirst(int p) {
    while ((deadlines.eligibleMask() & 1 << p) != 0 && queues.isBlocked(deadlines.eligibleTop(p))) {
      queues.park(deadlines.eligibleTop(p));
    }
  }

  /** The context to serve now; {@link #NONE} if there is none. */
  int pick() {
    if (time.isDue()) {
      wake();
    }
    return isGuaranteed() ? pickByServer() : pickInTurn();
  }

  /** How the context would run now, as in {@link Slots}. */
  int gradeOf(int c) {
    int s = contexts.server(c);
    if (!isGuaranteed() || s == NONE) {
      return Slots.FAIR;
    }
    return servers.hasBudget(s) ? Slots.COVERED : Slots.SPARE;
  }

  private int pickByServer() {
    for (int mask = deadlines.eligibleMask(); mask != 0; mask = deadlines.eligibleMask()) {
      int p = highest(mask);
      int s = deadlines.eligibleTop(p);
      if (!queues.isBlocked(s)) {
        return queues.served(s, p);
      }
      queues.park(s);
    }
    if (queues.fairMask() != 0) {
      return fair.pick(highest(queues.fairMask()));
    }
    for (int mask = deadlines.exhaustedMask(); mask != 0; mask = deadlines.exhaustedMask()) {
      int p = highest(mask);
      int s = deadlines.exhaustedTop(p);
      if (!queues.isBlocked(s)) {
        return queues.served(s, p);
      }
      queues.park(s);
    }
    return NONE;
  }

  private int pickInTurn() {
    for (int p = Limits.PRIORITIES - 1; p >= 0; p--) {
      ReadySet turn = queues.turn(p);
      while (!turn.isEmpty()) {
        int c = turn.next();
        if (!queues.isBlocked(c)) {
          return c;
        }
        queues.park(c);
      }
    }
    return NONE;
  }

  private static int highest(int mask) {
    return 31 - Integer.numberOfLeadingZeros(mask);
  }

  private void wake() {
    servers.wake();
    throttling.wake();
    time.setAlarm(nextDue());
  }

  long nextDue() {
    return Math.min(deadlines.nextDue(), throttling.nextDue());
  }

  /** Nothing waits anywhere and no ceiling is in force; budgets and virtual times stay. */
  void clear() {
    queues.clear();
    throttling.clear();
  }

  /** Writes to the journal what becomes of a context, with its server. */
  void event(int kind, int c, long value) {
    if (events.isOn()) {
      int s = contexts.server(c);
      events.event(
          kind, c, value, s == NONE ? 0 : servers.budget(s), s == NONE ? 0 : servers.deadline(s));
    }
  }
}
