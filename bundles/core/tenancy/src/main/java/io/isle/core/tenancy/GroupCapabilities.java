package io.isle.core.tenancy;

import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import java.util.function.Function;

/** Takes back the capabilities of a group that goes. Thread-safe. */
final class GroupCapabilities {
  private final Capabilities capabilities;
  private final Function<Capability, String> groupOf;

  /**
   * @param groupOf the group that a capability belongs to
   */
  GroupCapabilities(Capabilities capabilities, Function<Capability, String> groupOf) {
    this.capabilities = capabilities;
    this.groupOf = groupOf;
  }

  /** Revokes all of a group, with what was delegated from them. */
  void revoke(String group) {
    AuditedCapabilities.byPlatform(
        () -> {
          for (Capability capability : capabilities.list()) {
            if (groupOf.apply(capability).equals(group)) {
              capabilities.revoke(capability);
            }
          }
        });
  }
}
