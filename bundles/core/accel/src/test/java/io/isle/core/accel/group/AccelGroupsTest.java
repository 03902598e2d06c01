package io.isle.core.accel.group;

import static io.isle.core.accel.group.Trees.group;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.TenancyException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccelGroupsTest {
  private final AccelGroups groups =
      Trees.accel(
          group("default", "memory.max", "8g"),
          group(
              "org",
              "devices",
              "soft0 sim0",
              "memory.max",
              "1g",
              "priority",
              "high",
              "compute.guarantee",
              "soft0 600000",
              "compute.max",
              "soft0 800000, sim0 max",
              "compute.weight",
              "300"),
          group("team", "parent", "org", "devices", "soft0 opencl0", "memory.max", "2g"),
          group("own", "parent", "org", "compute.guarantee", "sim0 1000"),
          group("none", "parent", "own", "devices", "", "compute.guarantee", ""));

  private AccelGroup get(String name) {
    return groups.find(name).orElseThrow();
  }

  @Test
  void whatIsMissingIsInheritedOrHoldsAbove() {
    AccelGroup root = get("default");
    assertEquals(Optional.empty(), root.devices());
    assertEquals(Priority.NORMAL, root.priority());
    assertEquals(100, root.weight());
    AccelGroup team = get("team");
    assertEquals(Optional.of(Set.of("soft0")), team.devices(), "of those of its parent");
    assertEquals(Priority.HIGH, team.priority());
    assertEquals(300, team.weight());
    assertEquals(Map.of(), team.max());
    assertEquals(Map.of("soft0", new Bandwidth(800_000, 1_000_000)), get("org").max());
    assertTrue(get("own").allows("sim0"));
    assertFalse(get("none").allows("sim0"));
    assertTrue(root.allows("anything7"));
  }

  @Test
  void aGroupWithoutAGuaranteeSharesItsParents() {
    assertEquals(
        Optional.of(new AccelGroups.Guarantee("org", new Bandwidth(600_000, 1_000_000))),
        groups.guarantee("team", "soft0"));
    assertEquals("own", groups.guarantee("own", "sim0").orElseThrow().group());
    assertEquals(Optional.empty(), groups.guarantee("own", "soft0"), "it has the key");
    assertEquals(Optional.empty(), groups.guarantee("none", "sim0"), "an empty one is none");
    assertEquals(Optional.empty(), groups.guarantee("default", "soft0"));
  }

  @Test
  void aBadValueNamesGroupAndKey() {
    TenancyException weight = refused(Errno.ERANGE, "a", "compute.weight", "0");
    assertEquals("compute.weight: 0 is not in 1..10000", weight.getMessage());
    TenancyException quota = refused(Errno.ERANGE, "a", "compute.guarantee", "soft0 1");
    assertEquals(
        "compute.guarantee: soft0: a quota of 1 us is not in 1000..1000000, from 1 ms to the whole"
            + " period",
        quota.getMessage());
    refused(Errno.EINVAL, "default", "compute.guarantee", "soft0 1000");
  }

  @Test
  void nothingIsGuaranteedOfADeviceThatTheGroupMayNotUse() {
    TenancyException thrown =
        assertThrows(
            TenancyException.class,
            () ->
                Trees.accel(
                    group("a", "devices", "sim0"),
                    group("b", "parent", "a", "compute.guarantee", "soft0 1000")));
    assertEquals(
        "compute.guarantee: soft0: not one of the devices that b may use: sim0",
        thrown.getMessage());
  }

  private static TenancyException refused(int code, String name, String key, String value) {
    TenancyException thrown =
        assertThrows(TenancyException.class, () -> Trees.accel(group(name, key, value)));
    assertEquals(code, thrown.code(), thrown.getMessage());
    assertEquals(name, thrown.group());
    assertEquals(key, thrown.key());
    return thrown;
  }
}
