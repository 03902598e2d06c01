package io.isle.api.tenancy;

import io.isle.api.base.GroupNames;
import java.util.Optional;
import java.util.Set;

/**
 * The requested rights of a capability. Immutable.
 *
 * @param tenant 1 to 64 characters of {@code [A-Za-z0-9._:-]}. The name of a delegated capability
 *     is the name of its origin, or this name followed by a colon and more characters
 * @param group group of the tenant's contexts, as in {@link GroupNames}; on devices with processes
 *     of groups, contexts of one group share a process. A group that does not exist has the limits
 *     of the root until the group is made. A delegated capability has the group of its origin; this
 *     field is ignored
 * @param permissions at least one
 * @param device the only device, or empty for all devices
 * @param maxMemoryBytes limit of device memory of one context, in bytes; 0 for no limit
 */
public record CapabilitySpec(
    String tenant,
    String group,
    Set<Permission> permissions,
    Optional<String> device,
    long maxMemoryBytes) {
  public CapabilitySpec {
    permissions = Set.copyOf(permissions);
  }

  /** A capability in the group {@link GroupNames#DEFAULT}. */
  public CapabilitySpec(
      String tenant, Set<Permission> permissions, Optional<String> device, long maxMemoryBytes) {
    this(tenant, GroupNames.DEFAULT, permissions, device, maxMemoryBytes);
  }

  /** A copy with another group. */
  public CapabilitySpec inGroup(String name) {
    return new CapabilitySpec(tenant, name, permissions, device, maxMemoryBytes);
  }
}
