package io.isle.core.accel.timeline;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.admission.ContextRules;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.fence.FenceTable;
import io.isle.lib.ids.IdPool;
import java.util.HashMap;
import java.util.Map;

/** Makes and closes the timelines of tenants. Control path; thread-safe. */
public final class HostTimelines {
  /** Most of a tenant. */
  public static final int OF_TENANT = 256;

  private final Capabilities capabilities;
  private final FenceTable table;
  private final MonotonicClock clock;
  private final AuditTrail audit;
  private final IdPool ids =
      new IdPool(Ids.HOST_TIMELINE, FenceTable.HOSTS, "host timelines", AccelException::new);
  private final Map<String, Integer> byTenant = new HashMap<>();

  public HostTimelines(
      Capabilities capabilities, FenceTable table, MonotonicClock clock, AuditTrail audit) {
    this.capabilities = capabilities;
    this.table = table;
    this.clock = clock;
    this.audit = audit;
  }

  /** See {@link io.isle.api.accel.Accelerators#hostTimeline}. */
  public HostTimelineHandle open(Capability capability, String name) {
    return audit.recorded(
        event("timeline.open", capability).detail(String.valueOf(name)),
        () -> {
          if (name == null || name.isBlank() || name.length() > ContextRules.MAX_NAME) {
            throw new AccelException(
                Errno.EINVAL, "name: 1 to " + ContextRules.MAX_NAME + " characters are needed");
          }
          check(capability);
          return add(capability, name);
        },
        made -> Ids.text(made.id()));
  }

  private synchronized HostTimelineHandle add(Capability capability, String name) {
    String payer = capability.owner();
    int has = byTenant.getOrDefault(payer, 0);
    if (has == OF_TENANT) {
      throw new AccelException(
          Errno.ENOSPC,
          payer
              + " has "
              + OF_TENANT
              + " host timelines, the most of one tenant; close some first");
    }
    FenceOwner owner = new FenceOwner(capability.tenant(), null, this::check);
    HostTimelineHandle made =
        new HostTimelineHandle(ids.take(payer), name, capability, owner, clock, this);
    byTenant.put(payer, has + 1);
    table.add(made);
    // whoever revokes meanwhile found it, or is seen here
    made.checkRevoked();
    return made;
  }

  /** Capabilities were revoked: what was made with them is over, and whoever waits is woken. */
  public void revoked() {
    for (FenceSource source : table.list()) {
      if (source instanceof HostTimelineHandle timeline) {
        timeline.checkRevoked();
      }
    }
  }

  void share(HostTimelineHandle timeline, Capability by, String tenant) {
    audit.run(
        event("timeline.share", by).object(Ids.text(timeline.id())).detail(String.valueOf(tenant)),
        () -> timeline.owner().share(by, tenant));
  }

  void close(HostTimelineHandle timeline) {
    boolean ignored = timeline.points().end(Errno.ECLOSED);
    synchronized (this) {
      if (table.find(timeline.id()) != timeline) {
        return;
      }
      table.remove(timeline);
      ids.give(timeline.id());
      byTenant.merge(timeline.capability().owner(), -1, (a, b) -> a + b == 0 ? null : a + b);
    }
    audit.record(
        event("timeline.close", timeline.capability())
            .object(Ids.text(timeline.id()))
            .detail(timeline.name()));
  }

  private void check(Capability capability) {
    capabilities.check(capability, Permission.ACCEL_COMPUTE, capability.device().orElse(""));
  }

  private AuditEvent event(String action, Capability capability) {
    return AuditTrail.tenant(
        action, capability.tenant(), capability.id(), capability.device().orElse(""));
  }
}
