package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupCapabilitiesTest {
  private final CapabilityTable table = new CapabilityTable(8, revoked -> {});

  /** A group's name is what stands before the colon of its tenants' names. */
  private final GroupCapabilities capabilities =
      new GroupCapabilities(
          table,
          capability -> capability.tenant().substring(capability.tenant().lastIndexOf(':') + 1));

  private static CapabilitySpec spec(String tenant) {
    return new CapabilitySpec(tenant, Set.of(Permission.ACCEL_COMPUTE), Optional.empty(), 0);
  }

  @Test
  void aGroupsCapabilitiesGoWithWhatWasDelegatedFromThem() {
    Capability root = table.issue(spec("job:default"));
    Capability one = table.issue(spec("1:team-a"));
    Capability two = table.delegate(root, spec("job:default:team-a"));
    Capability three = table.delegate(one, spec("1:team-a:team-b"));
    Capability other = table.issue(spec("4:team-b"));
    capabilities.revoke("team-a");
    assertFalse(one.valid() || two.valid() || three.valid());
    assertTrue(root.valid() && other.valid());
    assertEquals(List.of(root, other), table.list());
  }
}
