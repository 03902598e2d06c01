package io.isle.lib.ids;

import java.util.HashMap;
import java.util.Map;

/**
 * What tenants have of something that there is a fixed amount of: at most half each, for others may
 * come. Thread-safe.
 */
public final class TenantShares {
  private final long most;
  private final Map<String, Long> taken = new HashMap<>();

  /**
   * @param all what there is, 1 or more
   */
  public TenantShares(long all) {
    most = Math.max(1, all / 2);
  }

  /** The most that one tenant may have. */
  public long most() {
    return most;
  }

  /** What a tenant has. */
  public synchronized long taken(String tenant) {
    return taken.getOrDefault(tenant, 0L);
  }

  /** False when the tenant would have more than {@link #most}; then nothing is taken. */
  public synchronized boolean take(String tenant, long amount) {
    if (amount > most - taken(tenant)) {
      return false;
    }
    taken.merge(tenant, amount, Long::sum);
    return true;
  }

  /** Gives back what {@link #take} took. */
  public synchronized void give(String tenant, long amount) {
    taken.computeIfPresent(tenant, (name, has) -> has == amount ? null : has - amount);
  }
}
