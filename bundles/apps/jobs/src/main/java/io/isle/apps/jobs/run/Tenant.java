package io.isle.apps.jobs.run;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.IsleException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.apps.jobs.platform.Platform;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job as a tenant of one device: the rights of its groups to it, which are had anew when the
 * service that gave it was restarted. Thread-safe.
 */
final class Tenant implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tenant.class);

  private final Platform platform;
  private final CapabilitySpec spec;
  private final AcceleratorInfo info;
  private final Map<String, Capability> byGroup = new HashMap<>();
  private Capabilities issuer;

  /**
   * @param admin whether its contexts may have realtime priority
   * @param counts whether it reads counters of its contexts
   * @param further permissions that its steps need
   */
  Tenant(
      Platform platform,
      String jobId,
      AcceleratorInfo info,
      boolean admin,
      boolean counts,
      Set<Permission> further) {
    this.platform = platform;
    this.info = info;
    Set<Permission> permissions = EnumSet.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY);
    permissions.addAll(further);
    if (admin) {
      permissions.add(Permission.ACCEL_CONTEXT_RT);
    }
    if (counts) {
      permissions.add(Permission.ACCEL_PERF);
    }
    spec = new CapabilitySpec("job-" + jobId, permissions, Optional.of(info.id()), 0);
  }

  String device() {
    return info.id();
  }

  /** Longest submission that the device takes, in bytes. */
  int maxCommandBytes() {
    return info.maxCommandBytes();
  }

  /** The device, when it is there at this moment. */
  Accelerator accelerator(long untilNs) throws InterruptedException {
    Accelerators accelerators = platform.await(Accelerators.class, untilNs);
    return accelerators.find(DeviceQuery.id(device()));
  }

  /** A group's right to the device; issued when there is none that counts. */
  synchronized Capability capability(String group, long untilNs) throws InterruptedException {
    Capabilities now = platform.await(Capabilities.class, untilNs);
    if (now != issuer) {
      byGroup.clear();
      issuer = now;
    }
    return byGroup.computeIfAbsent(group, name -> now.issue(spec.inGroup(name)));
  }

  @Override
  public synchronized void close() {
    if (byGroup.isEmpty()
        || platform.service(Capabilities.class).filter(now -> now == issuer).isEmpty()) {
      // Its issuer is gone, and the right with it.
      return;
    }
    for (Capability capability : byGroup.values()) {
      try {
        issuer.revoke(capability);
      } catch (IsleException e) {
        LOG.warn("revoking the capability of {} failed", spec.tenant(), e);
      }
    }
  }
}
