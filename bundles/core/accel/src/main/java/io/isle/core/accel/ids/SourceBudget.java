package io.isle.core.accel.ids;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import java.util.HashMap;
import java.util.Map;

/** Bytes of programs that the core keeps, of each tenant and of all. Thread-safe. */
public final class SourceBudget {
  /** Of one tenant, in all of its contexts. */
  public static final long TENANT_BYTES = 64L << 20;

  /** Of all tenants. */
  static final long NODE_BYTES = 256L << 20;

  private final long tenantBytes;
  private final long nodeBytes;
  private final Map<String, Long> byTenant = new HashMap<>();
  private long used;

  public SourceBudget(long tenantBytes, long nodeBytes) {
    this.tenantBytes = tenantBytes;
    this.nodeBytes = nodeBytes;
  }

  /**
   * @throws AccelException ENOSPC
   */
  public synchronized void take(String tenant, long bytes) {
    long own = byTenant.getOrDefault(tenant, 0L);
    check(bytes, own, tenantBytes, "tenant " + tenant);
    check(bytes, used, nodeBytes, "all tenants");
    used += bytes;
    byTenant.put(tenant, own + bytes);
  }

  private static void check(long bytes, long taken, long most, String whose) {
    if (bytes > most - taken) {
      throw new AccelException(
          Errno.ENOSPC,
          "source: "
              + bytes
              + " bytes more exceed the limit; the programs of "
              + whose
              + " have "
              + taken
              + " of at most "
              + most
              + " bytes; close some first");
    }
  }

  /** Gives back what {@link #take} took. */
  public synchronized void give(String tenant, long bytes) {
    long own = byTenant.get(tenant) - bytes;
    used -= bytes;
    if (own == 0) {
      byTenant.remove(tenant);
    } else {
      byTenant.put(tenant, own);
    }
  }
}
