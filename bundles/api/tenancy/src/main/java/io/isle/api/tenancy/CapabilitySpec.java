package io.isle.api.tenancy;

import java.util.Optional;
import java.util.Set;

/**
 * What a capability shall allow.
 *
 * @param tenant 1 to 64 characters of {@code [A-Za-z0-9._:-]}
 * @param permissions at least one
 * @param device the only device, or empty for all
 * @param maxMemoryBytes most device memory of one context; 0 for no limit
 */
public record CapabilitySpec(
    String tenant, Set<Permission> permissions, Optional<String> device, long maxMemoryBytes) {
  public CapabilitySpec {
    permissions = Set.copyOf(permissions);
  }
}
