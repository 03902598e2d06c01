package io.isle.core.accel.sched;

/**
 * Changes of contexts and groups. What alters the tree or who has a server takes everything out of
 * the queues, changes it, and puts everything back; what was used stays used. Costs time in
 * proportion to the capacity, so it is for settings, not for submissions.
 */
final class Control {
  private static final int NONE = -1;

  private final Placement placement;
  private final Contexts contexts;
  private final Groups groups;
  private final Ceilings ceilings;
  private final Servers servers;
  private final Reservations reservations;
  private final Slots slots;
  private final int units;
  private final boolean[] held;

  Control(Placement placement, Slots slots, int units) {
    this.placement = placement;
    this.slots = slots;
    this.units = units;
    contexts = placement.contexts;
    groups = placement.groups;
    ceilings = placement.ceilings;
    servers = placement.servers;
    reservations = new Reservations(contexts, groups, servers, placement.fair);
    held = new boolean[contexts.capacity() + groups.capacity()];
  }

  void open(int c, int group, int priority, long quotaNs, long periodNs) {
    Limits.check("context", c, 0, contexts.capacity() - 1);
    if (contexts.isOpen(c)) {
      throw new IllegalStateException("context " + c + " is open");
    }
    checkPlace(group, priority, quotaNs, periodNs);
    placement.accounts.open(c);
    contexts.open(c);
    contexts.setBlocked(c, 0);
    boolean carves = quotaNs != 0 && groups.guaranteed(group) != NONE;
    if (carves) {
      takeOut();
    }
    settle(c, group, priority, quotaNs, periodNs);
    if (carves) {
      putBack();
    } else {
      link(c);
    }
  }

  /** The context is neither ready nor in flight. */
  void close(int c) {
    boolean carves = contexts.quota(c) != 0 && groups.guaranteed(contexts.group(c)) != NONE;
    if (carves) {
      takeOut();
    }
    servers.setRate(c, 0, 0);
    placement.fair.leave(c);
    contexts.close(c);
    if (carves) {
      putBack();
    }
  }

  void setContext(int c, int group, int priority, long quotaNs, long periodNs) {
    checkPlace(group, priority, quotaNs, periodNs);
    takeOut();
    if (contexts.isReady(c)) {
      long before = ceilings.blockedNs(contexts.group(c)) - contexts.blocked(c);
      contexts.setBlocked(c, ceilings.blockedNs(group) - before);
    }
    settle(c, group, priority, quotaNs, periodNs);
    putBack();
  }

  private void checkPlace(int group, int priority, long quotaNs, long periodNs) {
    checkGroup(group);
    Limits.check("priority", priority, 0, Limits.PRIORITIES - 1);
    Limits.checkRate("guarantee", quotaNs, periodNs, units);
  }

  private void settle(int c, int group, int priority, long quotaNs, long periodNs) {
    contexts.place(c, group, priority);
    contexts.setGuarantee(c, quotaNs, periodNs);
    servers.setRate(c, quotaNs, periodNs);
    placement.fair.join(c, group, priority);
  }

  void setGroup(
      int g,
      int parent,
      long guaranteeNs,
      long guaranteePeriodNs,
      long maxNs,
      long maxPeriodNs,
      int weight) {
    Limits.check("group", g, 0, groups.capacity() - 1);
    Limits.check("weight", weight, 1, Limits.MAX_WEIGHT);
    Limits.checkRate("guarantee", guaranteeNs, guaranteePeriodNs, units);
    Limits.checkRate("max", maxNs, maxPeriodNs, units);
    if (g == Groups.ROOT) {
      if (parent != NONE || guaranteeNs != 0) {
        throw new IllegalArgumentException("group 0 has neither a parent nor a guarantee");
      }
    } else {
      checkGroup(parent);
      if (groups.isPresent(g) && groups.isWithin(parent, g)) {
        throw new IllegalArgumentException("parent " + parent + " is below group " + g);
      }
    }
    takeOut();
    if (!groups.isPresent(g)) {
      groups.add(g, parent);
      ceilings.clear(g);
    }
    groups.setParent(g, parent);
    groups.setWeight(g, weight);
    groups.setGuarantee(g, guaranteeNs, guaranteePeriodNs);
    ceilings.set(g, maxNs, maxPeriodNs);
    putBack();
  }

  void removeGroup(int g) {
    checkGroup(g);
    if (g == Groups.ROOT) {
      throw new IllegalArgumentException("group 0 cannot be removed");
    }
    for (int other = 0; other < groups.capacity(); other++) {
      if (groups.isPresent(other) && groups.parent(other) == g) {
        throw new IllegalStateException("group " + other + " is below group " + g);
      }
    }
    for (int c = 0; c < contexts.capacity(); c++) {
      if (contexts.isOpen(c) && contexts.group(c) == g) {
        throw new IllegalStateException("context " + c + " is in group " + g);
      }
    }
    takeOut();
    servers.setRate(contexts.capacity() + g, 0, 0);
    placement.fair.leaveGroup(g);
    groups.remove(g);
    putBack();
  }

  private void checkGroup(int g) {
    Limits.check("group", g, 0, groups.capacity() - 1);
    if (!groups.isPresent(g)) {
      throw new IllegalArgumentException("group " + g + " does not exist");
    }
  }

  void setPolicy(SchedulingPolicy policy) {
    takeOut();
    if (policy == SchedulingPolicy.GUARANTEED && placement.policy() != policy) {
      for (int s = 0; s < held.length; s++) {
        servers.restart(s);
        held[s] = false;
      }
    }
    placement.queues.setPolicy(policy);
    putBack();
  }

  /** Out of all queues, and what is in flight is charged to nobody. */
  private void takeOut() {
    for (int slot = 0; slot < slots.end(); slot++) {
      recharge(slot, -1);
    }
    for (int s = 0; s < held.length; s++) {
      held[s] = servers.active(s) > 0 || slots.serves(s, contexts);
    }
    placement.clear();
  }

  private void putBack() {
    ceilings.link();
    reservations.reserve();
    for (int s = 0; s < held.length; s++) {
      servers.setActive(s, held[s] ? 1 : 0);
    }
    for (int c = 0; c < contexts.capacity(); c++) {
      if (contexts.isOpen(c)) {
        link(c);
        holdPaused(c);
      }
    }
    for (int slot = 0; slot < slots.end(); slot++) {
      recharge(slot, 1);
    }
    for (int g = 0; g < groups.capacity(); g++) {
      if (groups.isPresent(g) && ceilings.exists(g)) {
        placement.throttling.weigh(g);
      }
    }
    for (int c = 0; c < contexts.capacity(); c++) {
      if (contexts.isReady(c)) {
        placement.attach(c);
      }
    }
    for (int s = 0; s < held.length; s++) {
      if (held[s]) {
        servers.deactivate(s);
      }
    }
  }

  private void holdPaused(int c) {
    int s = contexts.server(c);
    if (contexts.isPaused(c) && s != NONE && placement.isGuaranteed()) {
      servers.activate(s, true, contexts.priority(c));
    }
  }

  private void recharge(int slot, int sign) {
    int c = slots.context(slot);
    if (c == NONE) {
      return;
    }
    long ns = sign * slots.charge(slot);
    if (slots.grade(slot) == Slots.COVERED && contexts.server(c) != NONE) {
      boolean ignored = servers.charge(contexts.server(c), ns);
    }
    for (int g = contexts.ceiling(c); g != NONE; g = ceilings.above(g)) {
      boolean ignored = ceilings.take(g, ns);
    }
  }

  private void link(int c) {
    contexts.link(c, reservations.server(c), ceilings.nearest(contexts.group(c)));
  }
}
