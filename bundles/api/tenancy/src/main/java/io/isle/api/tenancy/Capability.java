package io.isle.api.tenancy;

import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A right that {@link Capabilities} gave out. Only objects made by that service are accepted;
 * {@link #valid()} is a single volatile read and may be asked on the data path. Thread-safe.
 */
@ProviderType
public interface Capability {
  /** Core id of kind CAPABILITY; its generation is part of it. */
  long id();

  /** Name of the tenant, for accounting and audit. */
  String tenant();

  /**
   * Name of the tenant that it was issued to, before all delegations. What tenants may have at most
   * counts for that one, so that nobody has more by delegating.
   */
  String owner();

  /** The group that contexts under it belong to; see {@link CapabilitySpec#group}. */
  String group();

  Set<Permission> permissions();

  /** The only device for which it holds, or empty for all. */
  Optional<String> device();

  /** Most device memory in bytes that one context may take under it; 0 for no limit. */
  long maxMemoryBytes();

  /** How often it was delegated: 0 as issued, 16 at most. */
  int depth();

  /** False from the moment that it, or one that it came from, was revoked. */
  boolean valid();
}
