package io.isle.core.accel.sched;

/**
 * Which server serves whom, and with what rate: each guarantee is reserved out of the nearest one
 * above it, and what is left is the group's own server's.
 */
final class Reservations {
  private static final int NONE = -1;

  private final Contexts contexts;
  private final Groups groups;
  private final Servers servers;
  private final FairQueues fair;

  Reservations(Contexts contexts, Groups groups, Servers servers, FairQueues fair) {
    this.contexts = contexts;
    this.groups = groups;
    this.servers = servers;
    this.fair = fair;
  }

  /** The context's own server, or that of a group above it; {@link #NONE} without. */
  int server(int c) {
    if (contexts.quota(c) != 0) {
      return c;
    }
    int g = serving(contexts.group(c));
    return g == NONE ? NONE : contexts.capacity() + g;
  }

  /** The group whose server serves contexts of {@code g}; {@link #NONE} if none does. */
  private int serving(int g) {
    int at = g;
    while (at != NONE && !groups.isServed(at)) {
      at = groups.hasOwn(at) ? NONE : groups.parent(at);
    }
    return at;
  }

  /**
   * After the tree or a guarantee has changed: gives the groups their servers, and their places in
   * the trees of the fair queues. Nothing is queued.
   */
  void reserve() {
    for (int g = 0; g < groups.capacity(); g++) {
      groups.setCarved(g, 0);
    }
    for (int g = 1; g < groups.capacity(); g++) {
      if (groups.isPresent(g) && groups.guaranteeQuota(g) != 0) {
        reserve(groups.parent(g), groups.guaranteeQuota(g), groups.guaranteePeriod(g));
      }
    }
    for (int c = 0; c < contexts.capacity(); c++) {
      if (contexts.isOpen(c) && contexts.quota(c) != 0) {
        reserve(contexts.group(c), contexts.quota(c), contexts.period(c));
      }
    }
    for (int g = 1; g < groups.capacity(); g++) {
      long left = groups.guaranteeQuota(g) - groups.reserved(g);
      boolean served = left >= Limits.MIN_QUOTA_NS;
      groups.setServed(g, served);
      servers.setRate(contexts.capacity() + g, served ? left : 0, groups.guaranteePeriod(g));
    }
    for (int g = 1; g < groups.capacity(); g++) {
      if (groups.isPresent(g)) {
        hang(g);
      }
    }
  }

  private void reserve(int from, long quotaNs, long periodNs) {
    int g = groups.guaranteed(from);
    if (g != NONE) {
      long ns = Limits.perPeriod(quotaNs, periodNs, groups.guaranteePeriod(g));
      groups.setCarved(g, groups.reserved(g) + ns);
    }
  }

  /** A group that does not share the server above it waits outside of that one's tree. */
  private void hang(int g) {
    int above = groups.parent(g);
    if (groups.hasOwn(g) && !groups.isServed(g)) {
      while (serving(above) != NONE) {
        above = groups.parent(above);
      }
    }
    groups.setAbove(g, above);
    fair.joinGroup(g);
  }
}
