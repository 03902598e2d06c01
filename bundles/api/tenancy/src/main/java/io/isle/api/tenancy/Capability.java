package io.isle.api.tenancy;

import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A right issued by {@link Capabilities}, which accepts only its own objects. {@link #valid()} is a
 * single volatile read, suitable for the data path. Thread-safe.
 */
@ProviderType
public interface Capability {
  /** Core id of kind CAPABILITY, with its generation. */
  long id();

  /** Name of the tenant, for accounting and audit. */
  String tenant();

  /**
   * Name of the tenant of the issued capability, before all delegations. Limits of tenants apply to
   * this tenant, so a delegation does not raise a limit.
   */
  String owner();

  /** The group of contexts under this capability; see {@link CapabilitySpec#group}. */
  String group();

  /** The permissions of this capability. */
  Set<Permission> permissions();

  /** The only device of this capability; empty for all devices. */
  Optional<String> device();

  /** Limit of device memory of one context, in bytes; 0 for no limit. */
  long maxMemoryBytes();

  /** Number of delegations: 0 as issued, at most 16. */
  int depth();

  /**
   * False after the revocation of this capability, or of a capability that it was delegated from.
   */
  boolean valid();
}
