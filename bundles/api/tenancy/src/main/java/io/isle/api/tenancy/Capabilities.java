package io.isle.api.tenancy;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Issues, delegates, revokes and checks capabilities. Thread-safe. */
@ProviderType
public interface Capabilities {
  /** Longest chain of delegations. */
  int MAX_DEPTH = 16;

  /**
   * Issues a new capability that is no delegation.
   *
   * @throws TenancyException EINVAL for an empty tenant or no permission; EACCES if a delegated
   *     capability of another tenant has this name; ENOSPC if the table is full
   */
  Capability issue(CapabilitySpec spec);

  /**
   * Makes a capability with fewer or equal rights from {@code from}.
   *
   * @throws TenancyException EACCES if {@code spec} requests more than {@code from} has, or a
   *     tenant's name outside of its own; EREVOKED; ERANGE beyond {@link #MAX_DEPTH}
   */
  Capability delegate(Capability from, CapabilitySpec spec);

  /** Revokes a capability and all its delegations. Idempotent. */
  void revoke(Capability capability);

  /**
   * Checks that this service issued {@code capability}, and that the capability is valid, covers
   * the device and has the permission.
   *
   * @throws TenancyException EREVOKED, or EACCES with the missing right
   */
  void check(Capability capability, Permission permission, String device);

  /** All valid capabilities, oldest first. */
  List<Capability> list();

  /** The valid capability with this core id, if any. */
  Optional<Capability> find(long id);
}
