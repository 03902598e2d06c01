package io.isle.api.tenancy;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a capability shall allow.
 *
 * @param tenant 1 to 64 characters of {@code [A-Za-z0-9._:-]}
 * @param group that the tenant's contexts belong to, {@code [a-z0-9][a-z0-9-]{0,31}}; where groups
 *     have processes of their own, contexts of one group share one. A delegated capability has the
 *     group of the one that it comes from, whatever stands here
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
  /** The group of tenants that name none. */
  public static final String DEFAULT_GROUP = "default";

  private static final Pattern GROUP = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  public CapabilitySpec {
    permissions = Set.copyOf(permissions);
  }

  /** In the group {@link #DEFAULT_GROUP}. */
  public CapabilitySpec(
      String tenant, Set<Permission> permissions, Optional<String> device, long maxMemoryBytes) {
    this(tenant, DEFAULT_GROUP, permissions, device, maxMemoryBytes);
  }

  /** The same in another group. */
  public CapabilitySpec inGroup(String name) {
    return new CapabilitySpec(tenant, name, permissions, device, maxMemoryBytes);
  }

  /** Whether a text can name a group. */
  public static boolean isGroup(String text) {
    return GROUP.matcher(text).matches();
  }
}
