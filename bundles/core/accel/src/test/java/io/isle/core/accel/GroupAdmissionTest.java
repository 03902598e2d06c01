package io.isle.core.accel;

import static io.isle.core.accel.group.Trees.group;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.admission.GroupMembers;
import io.isle.core.accel.admission.MembersInside;
import io.isle.core.accel.group.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which contexts may come into which groups. */
@Timeout(60)
class GroupAdmissionTest {
  private static final ContextSpec SPEC = ContextSpec.named("mine");
  private static final ContextSpec REALTIME = SPEC.withPriority(Priority.REALTIME);

  private final GroupBench fixture = new GroupBench();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void refused(int code, String message, Runnable action) {
    IsleException refusal = assertThrows(IsleException.class, action::run);
    assertEquals(message, refusal.getMessage());
    assertEquals(code, refusal.code());
  }

  @Test
  void aDeviceOfAnotherGroupIsRefusedByName() {
    fixture.groups(group("a", "devices", "soft0 soft1"), group("b", "devices", ""));
    refused(
        Errno.EACCES,
        "devices: group a may not use sim0; the group's devices are soft0 soft1",
        () -> fixture.open("a", SPEC));
    refused(
        Errno.EACCES,
        "devices: group b may not use sim0; the group's devices are none",
        () -> fixture.open("b", SPEC));
    fixture.open("default", SPEC).close();
  }

  @Test
  void aGroupFindsNoDeviceThatItMayNotUse() {
    fixture.groups(
        group("a", "devices", "soft0"),
        group("b", "devices", "sim0"),
        group("below", "parent", "a"));
    for (String may : List.of("b", "default", "nobody-made-it")) {
      assertEquals("sim0", fixture.fixture.view.find(DeviceQuery.ANY.withGroups(may)).id());
    }
    for (String mayNot : List.of("a", "below")) {
      refused(
          Errno.ENODEV,
          "no device fits group %s: sim0 is closed to group %s".formatted(mayNot, mayNot),
          () -> fixture.fixture.view.find(DeviceQuery.ANY.withGroups(mayNot)));
    }
  }

  @Test
  void aDeviceThatIsTakenAwayStaysWithWhoHasItOpen() {
    fixture.groups(group("a"));
    Context context = fixture.open("a", SPEC);
    fixture.groups(group("a", "devices", "soft0"));
    fixture.fixture.device.completeAtOnce = true;
    assertEquals(0, context.await(context.submit(context.writer()), -1));
    context.allocate(100, 0).close();
    refused(
        Errno.EACCES,
        "devices: group a may not use sim0; the group's devices are soft0",
        () -> fixture.open("a", SPEC));
  }

  @Test
  void aGroupThatNobodyMadeCountsAsTheRoot() {
    fixture.groups(group("default", "priority", "high", "memory.max", "1000"));
    Context context = fixture.open("nobody", SPEC);
    assertEquals("nobody", context.info().group());
    assertEquals(Priority.HIGH, context.info().priority());
    refused(
        Errno.ENOMEM,
        "memory.max: group default: 1001 bytes more would exceed the group's memory.max of 1000"
            + " (0 are in use)",
        () -> context.allocate(1001, 0));
  }

  @Test
  void aGroupThatIsHeldBackTakesNothingAndSaysWhy() {
    fixture.groups(group("b"));
    fixture.controller.apply(
        fixture.tree().holding(Map.of("a", "memory.max: 'lots' is not a number of bytes")));
    refused(
        Errno.EBUSY,
        "group a is not in force: memory.max: 'lots' is not a number of bytes",
        () -> fixture.open("a", SPEC));
    fixture.open("b", SPEC);
    fixture.open("nobody", SPEC);
    fixture.groups(group("a"), group("b"));
    fixture.open("a", SPEC);
  }

  @Test
  void untilTheGroupsAreKnownOnlyTheRootTakesContexts() {
    GroupMembers members = new GroupMembers(MonotonicClock.SYSTEM);
    refused(
        Errno.EINTR,
        "group a: the settings of groups are not loaded yet; try again in a moment",
        () -> members.admit("sim0", SPEC, fixture.of("a")));
    refused(
        Errno.EINTR,
        "group a: the settings of groups are not loaded yet; try again in a moment",
        () -> members.groups(Set.of("default", "a")));
    members.admit("sim0", SPEC, fixture.of("default"));
    Set<String> gone = members.apply(Trees.accel(), Map.of());
    assertEquals(Set.of(), gone);
    members.admit("sim0", SPEC, fixture.of("a"));
    assertEquals(2, MembersInside.all(members).size());
  }

  @Test
  void aPartOfWhatNobodyWasPromisedNeedsPermission() {
    fixture.groups(
        group("a"), group("b", "compute.guarantee", "sim0 500000"), group("c", "parent", "b"));
    ContextSpec own = SPEC.withGuarantee(500_000, 0);
    for (String name : List.of("default", "a", "nobody")) {
      refused(
          Errno.EACCES,
          "guaranteedBandwidthUs: neither group "
              + (name.equals("a") ? "a" : "default")
              + " nor a group above it has a compute.guarantee; to reserve time that no group is"
              + " guaranteed, the capability needs the permission accel_context_rt",
          () -> fixture.fixture.accelerator().open(fixture.plain(name), own));
      fixture.open(name, own).close();
    }
    fixture.fixture.accelerator().open(fixture.plain("c"), own);
  }

  @Test
  void whoAsksForNoPriorityHasTheGroupsOfThatTime() {
    fixture.groups(group("a", "priority", "background"), group("b", "parent", "a"));
    Context before = fixture.open("b", SPEC);
    Context asked = fixture.open("b", SPEC.withPriority(Priority.HIGH));
    fixture.groups(group("a", "priority", "high"), group("b", "parent", "a"));
    Context after = fixture.open("b", SPEC);
    assertEquals(Priority.BACKGROUND, before.info().priority());
    assertEquals(Priority.HIGH, asked.info().priority());
    assertEquals(Priority.HIGH, after.info().priority());
    assertEquals(Priority.BACKGROUND, fixture.fixture.device.contexts.get(before.id()).priority());
  }

  @Test
  void realtimeNeedsPermissionAndGuarantee() {
    fixture.groups(
        group("rt", "priority", "realtime"),
        group("a", "compute.guarantee", "sim0 500000, soft0 1000"),
        group("b", "parent", "a"));
    refused(
        Errno.EACCES,
        "priority: realtime needs the permission accel_context_rt",
        () -> fixture.fixture.accelerator().open(fixture.plain("a"), REALTIME));
    refused(
        Errno.EINVAL,
        "priority: realtime, from group rt, needs a guarantee of the context or of its group",
        () -> fixture.open("rt", SPEC));
    refused(
        Errno.EINVAL,
        "priority: realtime needs a guarantee of the context or of its group",
        () -> fixture.open("default", REALTIME));
    assertEquals(Priority.REALTIME, fixture.open("b", REALTIME).info().priority());
    assertEquals(
        Priority.REALTIME, fixture.open("rt", SPEC.withGuarantee(100_000, 0)).info().priority());
  }

  @Test
  void aContextsGuaranteeIsCutOutOfItsGroupsAndComesBack() {
    fixture.groups(group("a", "compute.guarantee", "sim0 500000"), group("b", "parent", "a"));
    Context first = fixture.open("a", SPEC.withGuarantee(300_000, 0));
    assertEquals(30, first.info().usage().promisedPercent());
    refused(
        Errno.EBUSY,
        "guaranteedBandwidthUs: group b: compute.guarantee: sim0: contexts of a 30 % + contexts of"
            + " b 25 % = 55 % of the guarantee of a, 50 %; 20 % is left",
        () -> fixture.open("b", SPEC.withGuarantee(5_000, 20_000)));
    Context second = fixture.open("b", SPEC.withGuarantee(4_000, 20_000));
    first.close();
    first.close();
    Context third = fixture.open("b", SPEC.withGuarantee(3_000, 10_000));
    second.close();
    third.close();
    fixture.open("a", SPEC.withGuarantee(1_000_000 / 2, 1_000_000)).close();
    assertTrue(MembersInside.reserved(fixture.fixture.core.members()).shares().isEmpty());
  }

  @Test
  void whatAnOpeningThatFailsHadCutOutComesBack() {
    fixture.groups(group("a", "compute.guarantee", "sim0 500000"));
    fixture.fixture.device.failAfter(0, new DriverException(Errno.EIO, "no context"));
    assertThrows(IsleException.class, () -> fixture.open("a", SPEC.withGuarantee(500_000, 0)));
    List<Context> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(fixture.open("default", SPEC.withQueue(4, 256)));
    }
    IsleException full =
        assertThrows(IsleException.class, () -> fixture.open("a", SPEC.withGuarantee(500_000, 0)));
    assertEquals(Errno.ENOSPC, full.code());
    all.forEach(Context::close);
    assertTrue(MembersInside.reserved(fixture.fixture.core.members()).shares().isEmpty());
    assertTrue(MembersInside.all(fixture.fixture.core.members()).isEmpty());
    fixture.open("a", SPEC.withGuarantee(500_000, 0));
  }

  @Test
  void theGuaranteeOfAContextWhoseDeviceIsLostIsFree() {
    fixture.groups(group("a", "compute.guarantee", "sim0 500000"));
    Context lost = fixture.open("a", SPEC.withGuarantee(500_000, 0));
    lost.allocate(4000, 0);
    fixture.fixture.lose();
    fixture.fixture.online(new ScriptedDevice(fixture.fixture.attachment.completions()), 2);
    assertEquals(0, fixture.controller.stat("a").get("memory_current"));
    Context next = fixture.open("a", SPEC.withGuarantee(500_000, 0));
    lost.close();
    assertThrows(IsleException.class, () -> fixture.open("a", SPEC.withGuarantee(1_000, 0)));
    next.close();
  }

  @Test
  void whatIsAboutToHoldIsKeptToo() {
    fixture.groups(group("a", "compute.guarantee", "sim0 500000"));
    fixture.controller.check(
        fixture.tree(), Trees.of(group("a", "compute.guarantee", "sim0 100000")));
    refused(
        Errno.EBUSY,
        "guaranteedBandwidthUs: group a: compute.guarantee: sim0: contexts of a 20 % is more than"
            + " the guarantee of a, 10 %",
        () -> fixture.open("a", SPEC.withGuarantee(200_000, 0)));
    fixture.controller.check(fixture.tree(), Trees.of());
    refused(Errno.EBUSY, "group a is being deleted", () -> fixture.open("a", SPEC));
    fixture.controller.apply(fixture.tree());
    fixture.open("a", SPEC.withGuarantee(200_000, 0));
  }
}
