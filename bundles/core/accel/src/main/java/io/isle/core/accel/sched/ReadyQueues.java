package io.isle.core.accel.sched;

/**
 * The queues in which what is ready waits: the heaps of servers and the fair queues under {@link
 * SchedulingPolicy#GUARANTEED}, else in turn; or parked below a group that is at its ceiling.
 * Entities are contexts or servers by their id.
 */
final class ReadyQueues {
  private final int capacity;
  private final Contexts contexts;
  private final Ceilings ceilings;
  private final Servers servers;
  private final DeadlineQueues deadlines;
  private final FairQueues fair;
  private final Parking parking;
  private final ReadySet[] turns = new ReadySet[Limits.PRIORITIES];

  /** Bits of the priorities in which a context without a server is ready. */
  private int fairMask;

  private SchedulingPolicy policy;

  ReadyQueues(
      Contexts contexts,
      Groups groups,
      Ceilings ceilings,
      Servers servers,
      FairQueues fair,
      SchedulingPolicy policy) {
    this.contexts = contexts;
    this.ceilings = ceilings;
    this.servers = servers;
    deadlines = servers.deadlines;
    this.fair = fair;
    this.policy = policy;
    capacity = contexts.capacity();
    parking = new Parking(capacity + groups.capacity(), groups.capacity());
    for (int p = 0; p < turns.length; p++) {
      turns[p] = new ReadySet(capacity);
    }
  }

  SchedulingPolicy policy() {
    return policy;
  }

  /** Nothing is queued. */
  void setPolicy(SchedulingPolicy now) {
    policy = now;
  }

  /** The context is ready. */
  void add(int c) {
    if (policy != SchedulingPolicy.GUARANTEED) {
      turns[turnOf(c)].add(c);
    } else if (contexts.server(c) == c) {
      servers.add(c, contexts.priority(c));
    } else {
      filled(fair.add(c), contexts.priority(c));
    }
  }

  /** It is not any more. */
  void remove(int c) {
    if (policy != SchedulingPolicy.GUARANTEED) {
      turns[turnOf(c)].remove(c);
      if (parking.contains(c)) {
        parking.remove(c);
      }
    } else if (contexts.server(c) == c) {
      unwanted(c, contexts.priority(c));
    } else {
      drained(fair.remove(c), contexts.priority(c));
    }
  }

  /** What the group has ready may be served by the queues above it. */
  void addGroup(int g) {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      if (!fair.isEmpty(FairQueues.queue(g, p))) {
        filled(fair.addGroup(FairQueues.queue(g, p)), p);
      }
    }
  }

  /** It may not any more. */
  void removeGroup(int g) {
    for (int p = 0; p < Limits.PRIORITIES; p++) {
      if (!fair.isEmpty(FairQueues.queue(g, p))) {
        drained(fair.removeGroup(FairQueues.queue(g, p)), p);
      }
    }
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
    deadlines.remove(s, p);
    if (!deadlines.isWanted(s) && parking.contains(s)) {
      parking.remove(s);
      servers.show(s);
    }
  }

  /** Priorities in which a context without a server is ready. */
  int fairMask() {
    return fairMask;
  }

  /** The context that a server, which has something ready there, serves next. */
  int served(int s, int p) {
    return s < capacity ? s : fair.pick(FairQueues.queue(s - capacity, p));
  }

  /** Contexts of a priority, served in turn. */
  ReadySet turn(int p) {
    return turns[p];
  }

  /** Whether nobody shares its turn with the context, which is picked. */
  boolean isAlone(int c) {
    if (policy != SchedulingPolicy.GUARANTEED) {
      return turns[turnOf(c)].isSingle();
    }
    return contexts.server(c) == c || fair.isAlone(c);
  }

  /** The context has had its turn. */
  void hadTurn(int c) {
    turns[turnOf(c)].served(c);
  }

  private int turnOf(int c) {
    return policy == SchedulingPolicy.ROUND_ROBIN ? 0 : contexts.priority(c);
  }

  /** Whether a ceiling keeps the entity from being served. */
  boolean isBlocked(int entity) {
    return ceilings.isBlocked(groupOf(entity));
  }

  private int groupOf(int entity) {
    return entity < capacity ? contexts.group(entity) : entity - capacity;
  }

  /** One that is blocked is out of the way until the group that keeps it may go on. */
  void park(int entity) {
    if (policy == SchedulingPolicy.GUARANTEED) {
      deadlines.hide(entity);
    } else {
      turns[turnOf(entity)].remove(entity);
    }
    parking.add(entity, ceilings.blockedBy(groupOf(entity)));
  }

  /** The group may go on. */
  void unpark(int g) {
    for (int entity = parking.first(g); entity != Parking.NONE; entity = parking.first(g)) {
      parking.remove(entity);
      if (policy == SchedulingPolicy.GUARANTEED) {
        servers.show(entity);
      } else {
        turns[turnOf(entity)].add(entity);
      }
    }
  }

  /** Nothing waits anywhere; budgets and virtual times stay. */
  void clear() {
    for (ReadySet turn : turns) {
      turn.clear();
    }
    deadlines.clear();
    fair.clear();
    fairMask = 0;
    parking.clear();
  }
}
