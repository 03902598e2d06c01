package io.isle.core.accel.sched;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rules of {@link SchedulingPolicy#GUARANTEED} written down as plainly as possible: no heaps,
 * no parking, no leases, everything looked for anew at each decision. Times must not go back.
 */
final class NaiveCore {
  static final class Server {
    long quota;
    long period;
    long budget;
    long deadline;
  }

  static final class Group {
    int parent = -1;
    int weight = 100;
    long quota;
    long period;
    Server server;
    boolean hasOwn;
    long maxQuota;
    long maxPeriod;
    long tokens;
    long refillAt;
    boolean throttled;
    final long[] key = new long[4];
    final long[] virtual = new long[4];
    final boolean[] queued = new boolean[4];
  }

  static final class Context {
    int group;
    int priority;
    Server server;
    long estimate = 1_000_000;
    boolean ready;
    long key;
  }

  /**
   * @param fairCharge what the queues by weight were charged of the charge
   */
  record Flight(int context, long charge, long fairCharge, boolean covered) {}

  final Map<Integer, Context> contexts = new TreeMap<>();
  final Map<Integer, Group> groups = new TreeMap<>();
  final Map<Integer, Flight> flights = new TreeMap<>();
  private long now;

  NaiveCore() {
    groups.put(0, new Group());
  }

  /** Groups are set before contexts come, and have no guarantees below guarantees. */
  void setGroup(int g, int parent, long q, long p, long mq, long mp, int weight) {
    Group group = new Group();
    group.parent = parent;
    group.weight = weight;
    group.server = server(q, p);
    group.hasOwn = p != 0;
    group.maxQuota = mq;
    group.maxPeriod = mp;
    group.tokens = mq;
    group.refillAt = now + mp;
    groups.put(g, group);
  }

  private Server server(long q, long p) {
    if (q == 0) {
      return null;
    }
    Server server = new Server();
    server.quota = q;
    server.budget = q;
    server.period = p;
    server.deadline = 0;
    return server;
  }

  void open(int c, int group, int priority, long q, long p) {
    Context context = new Context();
    context.group = group;
    context.priority = priority;
    context.server = server(q, p);
    context.key = groups.get(group).virtual[priority];
    contexts.put(c, context);
  }

  void close(int c) {
    idle(c);
    for (int slot : List.copyOf(flights.keySet())) {
      if (flights.get(slot).context == c) {
        abandon(slot);
      }
    }
    contexts.remove(c);
  }

  Server serverOf(Context c) {
    if (c.server != null) {
      return c.server;
    }
    return serving(c.group);
  }

  private Server serving(int g) {
    Group group = groups.get(g);
    if (group.server != null || group.hasOwn || group.parent == -1) {
      return group.server;
    }
    return serving(group.parent);
  }

  /** In whose queues a group waits that has no server. */
  private int above(int g) {
    int above = groups.get(g).parent;
    while (groups.get(g).hasOwn && serving(above) != null) {
      above = groups.get(above).parent;
    }
    return above;
  }

  /** Whether a ceiling between it and where it waits is reached. */
  private boolean held(int g) {
    for (int at = g; at != above(g); at = groups.get(at).parent) {
      if (groups.get(at).throttled) {
        return true;
      }
    }
    return false;
  }

  private boolean active(Server s) {
    return contexts.values().stream().anyMatch(c -> c.ready && serverOf(c) == s)
        || flights.values().stream().anyMatch(f -> serverOf(contexts.get(f.context)) == s);
  }

  void at(long time) {
    now = time;
    for (Group g : groups.values()) {
      if (g.maxQuota != 0) {
        refill(g);
      }
    }
    for (Context c : contexts.values()) {
      Server s = serverOf(c);
      if (s != null && active(s)) {
        replenish(s);
      }
    }
  }

  private void replenish(Server s) {
    while (s.budget <= 0 && s.deadline <= now) {
      s.budget += s.quota;
      s.deadline += s.period;
    }
  }

  void ready(int n) {
    Context c = contexts.get(n);
    if (c.ready) {
      return;
    }
    Server s = serverOf(c);
    boolean rested = s != null && !active(s);
    if (s != null) {
      groups.values().stream().filter(g -> g.maxQuota != 0).forEach(this::weigh);
      lift();
      replenish(s);
    }
    if (rested) {
      Server first = earliest(c.priority);
      long from = first != null && first.deadline < now ? first.deadline - first.period : now;
      long left = s.deadline - from;
      if (s.budget > 0 && (left <= 0 || s.budget * s.period >= left * s.quota)) {
        s.budget = s.quota;
        s.deadline = from + s.period;
      }
    }
    c.ready = true;
    c.key = Math.max(c.key, groups.get(c.group).virtual[c.priority]);
    lift();
  }

  void idle(int n) {
    contexts.get(n).ready = false;
    lift();
  }

  /** Groups that begin to have something to be served begin at their queue's virtual time. */
  private void lift() {
    for (int p = 0; p < 4; p++) {
      for (int g : groups.keySet()) {
        Group group = groups.get(g);
        boolean is = g != 0 && group.server == null && !held(g) && has(g, p);
        if (is && !group.queued[p]) {
          group.key[p] = Math.max(group.key[p], groups.get(above(g)).virtual[p]);
        }
        group.queued[p] = is;
      }
    }
  }

  /** Whether the tree below a group has something that may be served. */
  private boolean has(int g, int p) {
    for (Context c : contexts.values()) {
      if (waits(c, g, p)) {
        return true;
      }
    }
    for (int n : groups.keySet()) {
      if (waits(n, g, p)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a context is a child of a group's queue. */
  private static boolean waits(Context c, int g, int p) {
    return c.ready && c.group == g && c.priority == p && c.server == null;
  }

  /** Whether a group is a child of the queue of another. */
  private boolean waits(int n, int g, int p) {
    return n != 0 && groups.get(n).server == null && above(n) == g && !held(n) && has(n, p);
  }

  private record Child(int order, long key, int context, int group) {}

  /** The child to serve next of a group's queue. */
  private Child child(int g, int p) {
    List<Child> children = new ArrayList<>();
    contexts.forEach(
        (n, c) -> {
          if (waits(c, g, p)) {
            children.add(new Child(n, c.key, n, -1));
          }
        });
    groups.forEach(
        (n, child) -> {
          if (waits(n, g, p)) {
            children.add(new Child(10_000 + n, child.key[p], -1, n));
          }
        });
    return children.stream()
        .min((a, b) -> a.key != b.key ? Long.compare(a.key, b.key) : a.order - b.order)
        .orElse(null);
  }

  private boolean blocked(int g) {
    for (int at = g; at != -1; at = groups.get(at).parent) {
      if (groups.get(at).throttled) {
        return true;
      }
    }
    return false;
  }

  private int descend(int g, int p) {
    Child child = child(g, p);
    return child.context >= 0 ? child.context : descend(child.group, p);
  }

  int next() {
    groups.values().stream().filter(g -> g.maxQuota != 0).forEach(this::weigh);
    lift();
    int covered = byDeadline(true);
    if (covered >= 0) {
      return covered;
    }
    for (int p = 3; p >= 0; p--) {
      if (!blocked(0) && has(0, p)) {
        return descend(0, p);
      }
    }
    return byDeadline(false);
  }

  /** The server with budget that has something ready in a priority and is due first. */
  private Server earliest(int p) {
    Server found = null;
    for (Context c : contexts.values()) {
      if (c.server != null && c.ready && c.priority == p && !blocked(c.group)) {
        found = earlier(found, c.server);
      }
    }
    for (int g : groups.keySet()) {
      if (groups.get(g).server != null && !blocked(g) && has(g, p)) {
        found = earlier(found, groups.get(g).server);
      }
    }
    return found;
  }

  private static Server earlier(Server a, Server b) {
    return b.budget > 0 && (a == null || b.deadline < a.deadline) ? b : a;
  }

  private int byDeadline(boolean covered) {
    for (int p = 3; p >= 0; p--) {
      long best = Long.MAX_VALUE;
      int found = -1;
      for (int n : contexts.keySet()) {
        Context c = contexts.get(n);
        if (c.server != null
            && c.ready
            && c.priority == p
            && c.server.budget > 0 == covered
            && !blocked(c.group)
            && due(c.server) < best) {
          best = due(c.server);
          found = n;
        }
      }
      for (int g : groups.keySet()) {
        Server s = groups.get(g).server;
        if (s != null && s.budget > 0 == covered && !blocked(g) && has(g, p) && due(s) < best) {
          best = due(s);
          found = descend(g, p);
        }
      }
      if (found >= 0) {
        return found;
      }
    }
    return -1;
  }

  private static long due(Server s) {
    long due = s.deadline;
    for (long budget = s.budget + s.quota; s.budget <= 0 && budget <= 0; budget += s.quota) {
      due += s.period;
    }
    return due;
  }

  void start(int slot, int n, long advance) {
    Context c = contexts.get(n);
    Server s = serverOf(c);
    long charge = advance < 0 ? c.estimate : Math.min(advance, (1L << 40) - 1);
    long fairCharge = Math.min(charge, c.estimate);
    boolean covered = s != null && s.budget > 0;
    if (c.server == null) {
      fair(c, fairCharge, true);
    }
    if (covered) {
      s.budget -= charge;
      replenish(s);
    }
    for (int g = c.group; g != -1; g = groups.get(g).parent) {
      Group group = groups.get(g);
      if (group.maxQuota != 0) {
        refill(group);
        group.tokens -= charge;
        weigh(group);
      }
    }
    flights.put(slot, new Flight(n, charge, fairCharge, covered));
    lift();
  }

  private void fair(Context c, long ns, boolean passes) {
    int g = c.group;
    int p = c.priority;
    if (passes && child(g, p) != null) {
      groups.get(g).virtual[p] = Math.max(groups.get(g).virtual[p], child(g, p).key);
    }
    c.key += Math.multiplyHigh(ns << 17, Long.MAX_VALUE / 100);
    while (g != 0 && groups.get(g).server == null) {
      Group group = groups.get(g);
      int to = above(g);
      Group above = groups.get(to);
      if (passes && child(to, p) != null) {
        above.virtual[p] = Math.max(above.virtual[p], child(to, p).key);
      }
      group.key[p] += Math.multiplyHigh(ns << 17, Long.MAX_VALUE / group.weight);
      g = to;
    }
  }

  private void refill(Group g) {
    while (g.refillAt <= now) {
      g.tokens = Math.min(g.maxQuota, g.tokens + g.maxQuota);
      g.refillAt += g.maxPeriod;
    }
  }

  private void weigh(Group g) {
    if (g.tokens <= 0 || g.throttled) {
      refill(g);
      g.throttled = g.tokens <= 0;
    }
  }

  void end(int slot, long busy) {
    Context c = contexts.get(flights.get(slot).context);
    settle(slot, busy);
    c.estimate = c.estimate == 1_000_000 ? busy : c.estimate + ((busy - c.estimate) >> 3);
  }

  void abandon(int slot) {
    settle(slot, 0);
  }

  private void settle(int slot, long busy) {
    Flight flight = flights.remove(slot);
    Context c = contexts.get(flight.context);
    Server s = serverOf(c);
    long more = busy - flight.charge;
    if (c.server == null) {
      fair(c, busy - flight.fairCharge, false);
    }
    if (flight.covered) {
      s.budget -= more;
      while (s.budget > s.quota) {
        s.budget -= s.quota;
        s.deadline -= s.period;
      }
      replenish(s);
    }
    for (int g = c.group; g != -1; g = groups.get(g).parent) {
      Group group = groups.get(g);
      if (group.maxQuota != 0) {
        group.tokens = Math.min(group.maxQuota, group.tokens - more);
        weigh(group);
      }
    }
    lift();
  }
}
