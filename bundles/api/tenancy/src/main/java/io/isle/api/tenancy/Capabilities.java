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
   * Issues a capability that comes from no other.
   *
   * @throws TenancyException EINVAL for an empty tenant or no permission; EACCES when a delegated
   *     capability of another tenant has that name; ENOSPC when the table is full
   */
  Capability issue(CapabilitySpec spec);

  /**
   * Makes a narrower capability from {@code from}.
   *
   * @throws TenancyException EACCES when {@code spec} asks for more than {@code from} has, or for a
   *     tenant's name that is not its own; EREVOKED; ERANGE beyond {@link #MAX_DEPTH}
   */
  Capability delegate(Capability from, CapabilitySpec spec);

  /** Revokes a capability and all that were delegated from it. Idempotent. */
  void revoke(Capability capability);

  /**
   * Checks that {@code capability} was issued here, is valid, covers the device and has the
   * permission.
   *
   * @throws TenancyException EREVOKED, or EACCES naming what is missing
   */
  void check(Capability capability, Permission permission, String device);

  /** All that are valid, oldest first. */
  List<Capability> list();

  Optional<Capability> find(long id);
}
