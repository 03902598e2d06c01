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

  private final GroupBench bench = new GroupBench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static void refused(int code, String message, Runnable action) {
    IsleException refusal = assertThrows(IsleException.class, action::run);
    assertEquals(message, refusal.getMessage());
    assertEquals(code, refusal.code());
  }

  @Test
  void aDeviceOfAnotherGroupIsRefusedByName() {
    bench.groups(group("a", "devices", "soft0 soft1"), group("b", "devices", ""));
    refused(
        Errno.EACCES,
        "devices: group a may not use sim0, but soft0 soft1",
        () -> bench.open("a", SPEC));
    refused(
        Errno.EACCES,
        "devices: group b may not use sim0, but none at all",
        () -> bench.open("b", SPEC));
    bench.open("default", SPEC).close();
  }

  @Test
  void aGroupFindsNoDeviceThatItMayNotUse() {
    bench.groups(
        group("a", "devices", "soft0"),
        group("b", "devices", "sim0"),
        group("below", "parent", "a"));
    for (String may : List.of("b", "default", "nobody-made-it")) {
      assertEquals("sim0", bench.bench.view.find(DeviceQuery.ANY.withGroups(may)).id());
    }
    for (String mayNot : List.of("a", "below")) {
      refused(
          Errno.ENODEV,
          "no device fits group %s: sim0 is not for group %s".formatted(mayNot, mayNot),
          () -> bench.bench.view.find(DeviceQuery.ANY.withGroups(mayNot)));
    }
  }

  @Test
  void aDeviceThatIsTakenAwayStaysWithWhoHasItOpen() {
    bench.groups(group("a"));
    Context context = bench.open("a", SPEC);
    bench.groups(group("a", "devices", "soft0"));
    bench.bench.device.completeAtOnce = true;
    assertEquals(0, context.await(context.submit(context.writer()), -1));
    context.allocate(100, 0).close();
    refused(
        Errno.EACCES, "devices: group a may not use sim0, but soft0", () -> bench.open("a", SPEC));
  }

  @Test
  void aGroupThatNobodyMadeCountsAsTheRoot() {
    bench.groups(group("default", "priority", "high", "memory.max", "1000"));
    Context context = bench.open("nobody", SPEC);
    assertEquals("nobody", context.info().group());
    assertEquals(Priority.HIGH, context.info().priority());
    refused(
        Errno.ENOMEM,
        "memory.max: group default: 1001 bytes more would exceed its limit of 1000 (0 are taken)",
        () -> context.allocate(1001, 0));
  }

  @Test
  void aGroupThatIsHeldBackTakesNothingAndSaysWhy() {
    bench.groups(group("b"));
    bench.controller.apply(
        bench.tree().holding(Map.of("a", "memory.max: 'lots' is not a number of bytes")));
    refused(
        Errno.EBUSY,
        "group a is held back: memory.max: 'lots' is not a number of bytes",
        () -> bench.open("a", SPEC));
    bench.open("b", SPEC);
    bench.open("nobody", SPEC);
    bench.groups(group("a"), group("b"));
    bench.open("a", SPEC);
  }

  @Test
  void untilTheGroupsAreKnownOnlyTheRootTakesContexts() {
    GroupMembers members = new GroupMembers(MonotonicClock.SYSTEM);
    refused(
        Errno.EINTR,
        "group a: the groups are not known yet; try again in a moment",
        () -> members.admit("sim0", SPEC, bench.of("a")));
    refused(
        Errno.EINTR,
        "group a: the groups are not known yet; try again in a moment",
        () -> members.groups(Set.of("default", "a")));
    members.admit("sim0", SPEC, bench.of("default"));
    Set<String> gone = members.apply(Trees.accel(), Map.of());
    assertEquals(Set.of(), gone);
    members.admit("sim0", SPEC, bench.of("a"));
    assertEquals(2, MembersInside.all(members).size());
  }

  @Test
  void aPartOfWhatNobodyWasPromisedNeedsPermission() {
    bench.groups(
        group("a"), group("b", "compute.guarantee", "sim0 500000"), group("c", "parent", "b"));
    ContextSpec own = SPEC.withGuarantee(500_000, 0);
    for (String name : List.of("default", "a", "nobody")) {
      refused(
          Errno.EACCES,
          "guaranteedBandwidthUs: neither group "
              + (name.equals("a") ? "a" : "default")
              + " nor one above it has a compute.guarantee; out of what nobody was promised it"
              + " needs the permission accel_context_rt",
          () -> bench.bench.accelerator().open(bench.plain(name), own));
      bench.open(name, own).close();
    }
    bench.bench.accelerator().open(bench.plain("c"), own);
  }

  @Test
  void whoAsksForNoPriorityHasTheGroupsOfThatTime() {
    bench.groups(group("a", "priority", "background"), group("b", "parent", "a"));
    Context before = bench.open("b", SPEC);
    Context asked = bench.open("b", SPEC.withPriority(Priority.HIGH));
    bench.groups(group("a", "priority", "high"), group("b", "parent", "a"));
    Context after = bench.open("b", SPEC);
    assertEquals(Priority.BACKGROUND, before.info().priority());
    assertEquals(Priority.HIGH, asked.info().priority());
    assertEquals(Priority.HIGH, after.info().priority());
    assertEquals(Priority.BACKGROUND, bench.bench.device.contexts.get(before.id()).priority());
  }

  @Test
  void realtimeNeedsPermissionAndGuarantee() {
    bench.groups(
        group("rt", "priority", "realtime"),
        group("a", "compute.guarantee", "sim0 500000, soft0 1000"),
        group("b", "parent", "a"));
    refused(
        Errno.EACCES,
        "priority: realtime needs the permission accel_context_rt",
        () -> bench.bench.accelerator().open(bench.plain("a"), REALTIME));
    refused(
        Errno.EINVAL,
        "priority: realtime, from group rt, needs a guarantee, its own or its group's",
        () -> bench.open("rt", SPEC));
    refused(
        Errno.EINVAL,
        "priority: realtime needs a guarantee, its own or its group's",
        () -> bench.open("default", REALTIME));
    assertEquals(Priority.REALTIME, bench.open("b", REALTIME).info().priority());
    assertEquals(
        Priority.REALTIME, bench.open("rt", SPEC.withGuarantee(100_000, 0)).info().priority());
  }

  @Test
  void aContextsGuaranteeIsCutOutOfItsGroupsAndComesBack() {
    bench.groups(group("a", "compute.guarantee", "sim0 500000"), group("b", "parent", "a"));
    Context first = bench.open("a", SPEC.withGuarantee(300_000, 0));
    assertEquals(30, first.info().usage().promisedPercent());
    refused(
        Errno.EBUSY,
        "guaranteedBandwidthUs: group b: compute.guarantee: sim0: contexts of a 30 % + contexts of"
            + " b 25 % = 55 % of what a has, 50 %; 20 % is left",
        () -> bench.open("b", SPEC.withGuarantee(5_000, 20_000)));
    Context second = bench.open("b", SPEC.withGuarantee(4_000, 20_000));
    first.close();
    first.close();
    Context third = bench.open("b", SPEC.withGuarantee(3_000, 10_000));
    second.close();
    third.close();
    bench.open("a", SPEC.withGuarantee(1_000_000 / 2, 1_000_000)).close();
    assertTrue(MembersInside.carved(bench.bench.core.members()).shares().isEmpty());
  }

  @Test
  void whatAnOpeningThatFailsHadCutOutComesBack() {
    bench.groups(group("a", "compute.guarantee", "sim0 500000"));
    bench.bench.device.failAfter(0, new DriverException(Errno.EIO, "no context"));
    assertThrows(IsleException.class, () -> bench.open("a", SPEC.withGuarantee(500_000, 0)));
    List<Context> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(bench.open("default", SPEC.withQueue(4, 256)));
    }
    IsleException full =
        assertThrows(IsleException.class, () -> bench.open("a", SPEC.withGuarantee(500_000, 0)));
    assertEquals(Errno.ENOSPC, full.code());
    all.forEach(Context::close);
    assertTrue(MembersInside.carved(bench.bench.core.members()).shares().isEmpty());
    assertTrue(MembersInside.all(bench.bench.core.members()).isEmpty());
    bench.open("a", SPEC.withGuarantee(500_000, 0));
  }

  @Test
  void theGuaranteeOfAContextWhoseDeviceIsLostIsFree() {
    bench.groups(group("a", "compute.guarantee", "sim0 500000"));
    Context lost = bench.open("a", SPEC.withGuarantee(500_000, 0));
    lost.allocate(4000, 0);
    bench.bench.lose();
    bench.bench.online(new ScriptedDevice(bench.bench.plug.completions()), 2);
    assertEquals(0, bench.controller.stat("a").get("memory_current"));
    Context next = bench.open("a", SPEC.withGuarantee(500_000, 0));
    lost.close();
    assertThrows(IsleException.class, () -> bench.open("a", SPEC.withGuarantee(1_000, 0)));
    next.close();
  }

  @Test
  void whatIsAboutToHoldIsKeptToo() {
    bench.groups(group("a", "compute.guarantee", "sim0 500000"));
    bench.controller.check(bench.tree(), Trees.of(group("a", "compute.guarantee", "sim0 100000")));
    refused(
        Errno.EBUSY,
        "guaranteedBandwidthUs: group a: compute.guarantee: sim0: contexts of a 20 % is more than"
            + " what a has, 10 %",
        () -> bench.open("a", SPEC.withGuarantee(200_000, 0)));
    bench.controller.check(bench.tree(), Trees.of());
    refused(Errno.EBUSY, "group a is being deleted", () -> bench.open("a", SPEC));
    bench.controller.apply(bench.tree());
    bench.open("a", SPEC.withGuarantee(200_000, 0));
  }
}
