package io.isle.api.tenancy;

import io.isle.api.base.GroupNames;
import java.util.Optional;
import java.util.Set;

/**
 * What a capability shall allow.
 *
 * @param tenant 1 to 64 characters of {@code [A-Za-z0-9._:-]}. A delegated capability has the name
 *     of the tenant that it comes from, or one below it: that name, a colon and more
 * @param group that the tenant's contexts belong to, as {@link GroupNames} has it; where groups
 *     have processes of their own, contexts of one group share one. One that nobody made has the
 *     limits of the root, until it is made. A delegated capability has the group of the one that it
 *     comes from, whatever stands here
 * @param permissions at least one
 * @param device the only device, or empty for all
 * @param maxMemoryBytes most device memory of one context; 0 for no limit
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

  /** In the group {@link GroupNames#DEFAULT}. */
  public CapabilitySpec(
      String tenant, Set<Permission> permissions, Optional<String> device, long maxMemoryBytes) {
    this(tenant, GroupNames.DEFAULT, permissions, device, maxMemoryBytes);
  }

  /** The same in another group. */
  public CapabilitySpec inGroup(String name) {
    return new CapabilitySpec(tenant, name, permissions, device, maxMemoryBytes);
  }
}
