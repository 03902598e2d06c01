package io.isle.core.accel.group;

import static io.isle.core.accel.group.Trees.group;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final Bandwidth FIFTH = new Bandwidth(200_000, 1_000_000);

  private static GroupSpec guaranteed(String name, String parent, int percent) {
    return group(name, "parent", parent, "compute.guarantee", "soft0 " + percent * 10_000);
  }

  private static void admitted(GroupSpec... groups) {
    Admission.check(AccelGroups.EMPTY, Trees.accel(groups), ReservedShares.NONE);
  }

  private static TenancyException refused(
      int code,
      String group,
      String message,
      AccelGroups before,
      AccelGroups now,
      ReservedShares reserved) {
    TenancyException thrown =
        assertThrows(TenancyException.class, () -> Admission.check(before, now, reserved));
    assertEquals(message, thrown.getMessage());
    assertEquals(group, thrown.group());
    assertEquals(code, thrown.code());
    return thrown;
  }

  @Test
  void allOfADeviceIsGuaranteedOnce() {
    AccelGroups one = Trees.accel(guaranteed("team-a", "default", 60));
    admitted(guaranteed("team-a", "default", 60), guaranteed("team-b", "default", 40));
    refused(
        Errno.EBUSY,
        "team-b",
        "compute.guarantee: soft0: team-a 60 % + team-b 50 % = 110 % of soft0; 40 % is left",
        one,
        Trees.accel(guaranteed("team-a", "default", 60), guaranteed("team-b", "default", 50)),
        ReservedShares.NONE);
  }

  @Test
  void whoWantsMoreIsToBlameNotWhoComesLastByName() {
    refused(
        Errno.EBUSY,
        "a",
        "compute.guarantee: soft0: a 70 % + b 40 % = 110 % of soft0; 60 % is left",
        Trees.accel(guaranteed("a", "default", 60), guaranteed("b", "default", 40)),
        Trees.accel(guaranteed("a", "default", 70), guaranteed("b", "default", 40)),
        ReservedShares.NONE);
  }

  @Test
  void thirdsAreExact() {
    admitted(
        group("a", "compute.guarantee", "soft0 1000 3000"),
        group("b", "compute.guarantee", "soft0 1000000 3000000"),
        group("c", "compute.guarantee", "soft0 3333 9999"));
    refused(
        Errno.EBUSY,
        "c",
        "compute.guarantee: soft0: a 33.33 % + b 33.33 % + c 33.34 % = 100.01 % of soft0;"
            + " 33.33 % is left",
        Trees.accel(
            group("a", "compute.guarantee", "soft0 1000 3000"),
            group("b", "compute.guarantee", "soft0 1000 3000")),
        Trees.accel(
            group("a", "compute.guarantee", "soft0 1000 3000"),
            group("b", "compute.guarantee", "soft0 1000 3000"),
            group("c", "compute.guarantee", "soft0 3334 10000")),
        ReservedShares.NONE);
  }

  @Test
  void devicesAreCountedApart() {
    admitted(
        group("a", "compute.guarantee", "soft0 1000000, sim0 400000"),
        group("b", "compute.guarantee", "sim0 600000"));
  }

  @Test
  void childrenShareTheirParentsGuarantee() {
    AccelGroups before = Trees.accel(guaranteed("org", "default", 50), guaranteed("x", "org", 30));
    admitted(
        guaranteed("org", "default", 50),
        guaranteed("x", "org", 30),
        group("between", "parent", "org"),
        guaranteed("y", "between", 20));
    refused(
        Errno.EBUSY,
        "y",
        "compute.guarantee: soft0: y 25 % + x 30 % = 55 % of the guarantee of org, 50 %; 20 % is"
            + " left",
        before,
        Trees.accel(
            guaranteed("org", "default", 50),
            group("between", "parent", "org"),
            guaranteed("x", "org", 30),
            guaranteed("y", "between", 25)),
        ReservedShares.NONE);
    refused(
        Errno.EBUSY,
        "org",
        "compute.guarantee: soft0: 20 % is less than the guarantees below: x 30 %",
        before,
        Trees.accel(guaranteed("org", "default", 20), guaranteed("x", "org", 30)),
        ReservedShares.NONE);
    refused(
        Errno.EBUSY,
        "x",
        "compute.guarantee: soft0: x 10 % is more than the guarantee of org, 0 %",
        Trees.accel(group("org", "compute.guarantee", "sim0 1000")),
        Trees.accel(group("org", "compute.guarantee", "sim0 1000"), guaranteed("x", "org", 10)),
        ReservedShares.NONE);
  }

  @Test
  void aGuaranteeIsNotAboveAMaximum() {
    AccelGroups before = Trees.accel(group("a", "compute.max", "soft0 500000"));
    refused(
        Errno.EINVAL,
        "a",
        "compute.guarantee: soft0: a 60 % is more than the compute.max of a, 50 %",
        before,
        Trees.accel(group("a", "compute.max", "soft0 500000", "compute.guarantee", "soft0 600000")),
        ReservedShares.NONE);
    refused(
        Errno.EINVAL,
        "c",
        "compute.guarantee: soft0: b 30 % + c 30 % = 60 % of the compute.max of a, 50 %;"
            + " 20 % is left",
        Trees.accel(group("a", "compute.max", "soft0 500000"), guaranteed("b", "a", 30)),
        Trees.accel(
            group("a", "compute.max", "soft0 500000"),
            guaranteed("b", "a", 30),
            guaranteed("c", "a", 30)),
        ReservedShares.NONE);
    refused(
        Errno.EINVAL,
        "a",
        "compute.max: soft0: 20 % is less than the guarantees below: b 30 %",
        Trees.accel(group("a", "compute.max", "soft0 500000"), guaranteed("b", "a", 30)),
        Trees.accel(group("a", "compute.max", "soft0 200000"), guaranteed("b", "a", 30)),
        ReservedShares.NONE);
  }

  @Test
  void contextsAreCarvedOutOfTheirGroup() {
    AccelGroups groups =
        Trees.accel(guaranteed("a", "default", 50), guaranteed("inner", "a", 20), group("b"));
    ReservedShares reserved = Admission.reserve(groups, ReservedShares.NONE, "a", "soft0", FIFTH);
    TenancyException full =
        assertThrows(
            TenancyException.class, () -> Admission.reserve(groups, reserved, "a", "soft0", FIFTH));
    assertEquals(
        "compute.guarantee: soft0: contexts of a 40 % + inner 20 % = 60 % of the guarantee of a,"
            + " 50 %;"
            + " 30 % is left",
        full.getMessage());
    assertEquals(Errno.EBUSY, full.code());
    assertEquals(ReservedShares.NONE, reserved.minus("a", "soft0", FIFTH.share()));
    Admission.reserve(groups, reserved, "b", "soft0", new Bandwidth(500_000, 1_000_000));
    assertThrows(
        TenancyException.class,
        () -> Admission.reserve(groups, reserved, "b", "soft0", new Bandwidth(500_001, 1_000_000)));
    refused(
        Errno.EBUSY,
        "a",
        "compute.guarantee: soft0: 30 % is less than the guarantees below: contexts of a 20 % +"
            + " inner 20 % = 40 %",
        groups,
        Trees.accel(guaranteed("a", "default", 30), guaranteed("inner", "a", 20), group("b")),
        reserved);
  }

  @Test
  void contextsAreAdmittedOnDevicesOfTheirGroupOnly() {
    AccelGroups groups = Trees.accel(group("a", "devices", "sim0"));
    code(Errno.EACCES, () -> Admission.reserve(groups, ReservedShares.NONE, "a", "soft0", FIFTH));
    code(Errno.ENOENT, () -> Admission.reserve(groups, ReservedShares.NONE, "b", "soft0", FIFTH));
  }

  @Test
  void realtimeNeedsPermissionAndGuarantee() {
    AccelGroup rt = Trees.accel(group("rt", "priority", "realtime")).find("rt").orElseThrow();
    Set<Permission> all = Set.of(Permission.values());
    assertEquals(Priority.REALTIME, Admission.priority(rt, null, all, true));
    assertEquals(Priority.HIGH, Admission.priority(rt, Priority.HIGH, Set.of(), false));
    code(Errno.EACCES, () -> Admission.priority(rt, null, Set.of(), true));
    code(Errno.EINVAL, () -> Admission.priority(rt, Priority.REALTIME, all, false));
  }

  private static void code(int code, Runnable action) {
    TenancyException thrown = assertThrows(TenancyException.class, action::run);
    assertEquals(code, thrown.code(), thrown.getMessage());
  }
}
