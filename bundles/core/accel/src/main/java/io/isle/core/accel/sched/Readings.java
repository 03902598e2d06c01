package io.isle.core.accel.sched;

/**
 * What contexts and groups were promised, have left and were given, as of the machine's latest
 * time. Times that are points are in the caller's clock. Read by the machine's owner.
 */
public final class Readings {
  private final Placement placement;
  private final Lease lease;

  Readings(Placement placement, Lease lease) {
    this.placement = placement;
    this.lease = lease;
  }

  /** Whether the context has a server: its own or that of its group. */
  public boolean isCovered(int c) {
    return placement.contexts.server(c) != Contexts.NONE;
  }

  /** What the context's server has left, negative after an overrun; else 0. */
  public long budgetNs(int c) {
    lease.end();
    int s = placement.contexts.server(c);
    return s == Contexts.NONE ? 0 : placement.servers.budget(s);
  }

  /**
   * By when the budget of the context's server is due; {@link SchedulingCore#NEVER} without one.
   */
  public long deadline(int c) {
    lease.end();
    int s = placement.contexts.server(c);
    return placement.time.callers(
        s == Contexts.NONE ? CoreTime.NEVER : placement.servers.deadline(s));
  }

  /** Device time that the context was given since it came. */
  public long givenNs(int c) {
    return account(c, Accounts.GIVEN);
  }

  /** How long the context's submissions had waited when they started, first in its queue. */
  public long waitedNs(int c) {
    return account(c, Accounts.WAITED);
  }

  /** Submissions that started. */
  public long started(int c) {
    return account(c, Accounts.STARTED);
  }

  /** What its next submission is thought to take. */
  public long estimateNs(int c) {
    return account(c, Accounts.ESTIMATE);
  }

  /** How long a ceiling has kept what the context had ready, since the context is there. */
  public long throttledNs(int c) {
    Contexts contexts = placement.contexts;
    long blocked = contexts.blocked(c);
    return contexts.isReady(c)
        ? placement.ceilings.blockedNs(contexts.group(c)) - blocked
        : blocked;
  }

  /** Device time given to the group and all below, also to those that are gone. */
  public long groupGivenNs(int g) {
    lease.end();
    return placement.groups.givenNs(g);
  }

  /** How long its ceiling or one above has kept it. */
  public long groupThrottledNs(int g) {
    return placement.ceilings.blockedNs(g);
  }

  /** Whether its ceiling or one above keeps it now. */
  public boolean isThrottled(int g) {
    return placement.ceilings.isBlocked(g);
  }

  /** What is left to its ceiling in this period; {@link Long#MAX_VALUE} without one. */
  public long groupLeftNs(int g) {
    lease.end();
    return placement.ceilings.exists(g) ? placement.ceilings.freshTokens(g) : Long.MAX_VALUE;
  }

  /** What its own server has a period: its guarantee less what is reserved out of it. */
  public long groupServedNs(int g) {
    Groups groups = placement.groups;
    return groups.isServed(g) ? groups.guaranteeQuota(g) - groups.reserved(g) : 0;
  }

  /** What its own server has left; 0 without one. */
  public long groupBudgetNs(int g) {
    lease.end();
    int s = placement.contexts.capacity() + g;
    return placement.servers.exists(s) ? placement.servers.budget(s) : 0;
  }

  private long account(int c, int field) {
    lease.end();
    return placement.accounts.get(c, field);
  }
}
