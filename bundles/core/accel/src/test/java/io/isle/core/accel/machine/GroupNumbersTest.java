package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.sched.Readings;
import io.isle.core.accel.sched.SchedulingCore;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.core.accel.settings.SchedulingChoice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trees of groups as one device's scheduler has them. */
class GroupNumbersTest {
  private static final int CONTEXTS = 4;
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

  private final DeviceScheduler scheduler =
      new DeviceScheduler("sim0", CONTEXTS, 4, HostGroups.PROCESSES, 0);

  private static AccelGroups tree(GroupSpec... groups) {
    return AccelGroups.of(GroupTree.of(List.of(groups)));
  }

  private static GroupSpec group(String name, String... keys) {
    Map<String, String> raw = new TreeMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      raw.put(keys[i], keys[i + 1]);
    }
    return GroupSpec.of(name, raw);
  }

  @Test
  void aPromiseOfThisDeviceBringsItsPolicyAndDepth() {
    scheduler.apply(tree(group("a", "compute.guarantee", "other0 500000")));
    assertEquals(SchedulingPolicy.ROUND_ROBIN, scheduler.core().policy());
    assertEquals(64, scheduler.depth(64));
    scheduler.apply(tree(group("a", "compute.guarantee", "sim0 500000")));
    assertEquals(SchedulingPolicy.GUARANTEED, scheduler.core().policy());
    assertEquals(2, scheduler.depth(64));
    assertEquals(1, scheduler.depth(1));
    scheduler.apply(tree(group("a", "compute.max", "sim0 500000")));
    assertEquals(SchedulingPolicy.GUARANTEED, scheduler.core().policy());
    assertEquals(64, scheduler.depth(64));
    scheduler.apply(tree(group("a")));
    assertEquals(SchedulingPolicy.ROUND_ROBIN, scheduler.core().policy());
  }

  /** What a group sets of its share of a device is what the device's scheduler goes by. */
  @ParameterizedTest
  @MethodSource("keys")
  void eachKeyOfComputeTimeReachesTheScheduler(String key) {
    String value =
        switch (key) {
          case "devices" -> "sim0";
          case "memory.max" -> "1m";
          case "priority" -> "high";
          case "compute.guarantee", "compute.max" -> "sim0 5000 20000";
          case "compute.weight" -> "300";
          default -> throw new AssertionError(key + " is not tested");
        };
    scheduler.apply(tree(group("a", key, value), group("b")));
    scheduler.open(0, Schedulers.spec("a", Priority.NORMAL));
    scheduler.open(1, Schedulers.spec("b", Priority.NORMAL));
    assertEquals(
        key.startsWith("compute.") ? SchedulingPolicy.GUARANTEED : SchedulingPolicy.ROUND_ROBIN,
        scheduler.core().policy());
    Readings readings = scheduler.core().readings();
    int number = scheduler.groupName(1).orElseThrow().equals("a") ? 1 : 2;
    long promised = key.equals("compute.guarantee") ? 5_000_000 : 0;
    long left = key.equals("compute.max") ? 5_000_000 : Long.MAX_VALUE;
    assertEquals(promised, readings.groupServedNs(number));
    assertEquals(left, readings.groupLeftNs(number));
    assertEquals(promised > 0, readings.isCovered(0));
    assertEquals(left < Long.MAX_VALUE, scheduler.isContended());
    if (key.equals("compute.weight")) {
      scheduler.ready(0);
      scheduler.ready(1);
      for (int i = 0; i < 400; i++) {
        int c = scheduler.next(i);
        scheduler.started(0, c, i, SchedulingCore.AVERAGE);
        scheduler.ended(0, c, 1, 0, i + 1);
      }
      assertEquals(300, readings.givenNs(0), 2);
    }
  }

  static List<String> keys() {
    return AccelGroupKeys.KEYS.stream().map(GroupKey::key).toList();
  }

  @Test
  void aPromiseOfNothingIsNotTheParents() {
    scheduler.apply(
        tree(
            group("a", "compute.guarantee", "sim0 500000, other0 500000"),
            group("b", "parent", "a"),
            group("none", "parent", "a", "compute.guarantee", ""),
            group("elsewhere", "parent", "a", "compute.guarantee", "other0 100000")));
    Readings readings = scheduler.core().readings();
    for (String name : List.of("b", "none", "elsewhere")) {
      scheduler.open(0, new SchedulingSpec(name, Priority.NORMAL, 0, 0));
      assertEquals(name.equals("b"), readings.isCovered(0), name);
      scheduler.close(0);
    }
  }

  @Test
  void aContextsOwnPromiseDoesTheSameWhileItIsThere() {
    scheduler.open(1, new SchedulingSpec("default", Priority.NORMAL, 100_000, 1_000_000));
    assertEquals(SchedulingPolicy.GUARANTEED, scheduler.core().policy());
    assertEquals(2, scheduler.depth(64));
    scheduler.close(1);
    assertEquals(SchedulingPolicy.ROUND_ROBIN, scheduler.core().policy());
    assertEquals(64, scheduler.depth(64));
  }

  @Test
  void theAdministratorsChoiceGoesBeforeTheDefault() {
    scheduler.choose(SchedulingChoice.parse("sim0 priority 7", 1024).get("sim0"));
    scheduler.apply(tree(group("a", "compute.guarantee", "sim0 500000")));
    assertEquals(SchedulingPolicy.PRIORITY, scheduler.core().policy());
    assertEquals(7, scheduler.depth(64));
    scheduler.choose(SchedulingChoice.AUTO);
    assertEquals(SchedulingPolicy.GUARANTEED, scheduler.core().policy());
  }

  @Test
  void eachClassHasItsDefault() {
    for (DeviceClass deviceClass : DeviceClass.values()) {
      assertEquals(
          deviceClass == DeviceClass.GPU || deviceClass == DeviceClass.GPU_COMPUTE
              ? SchedulingPolicy.PRIORITY
              : SchedulingPolicy.ROUND_ROBIN,
          SchedulingPolicy.defaultOf(deviceClass, false));
      assertEquals(SchedulingPolicy.GUARANTEED, SchedulingPolicy.defaultOf(deviceClass, true));
    }
  }

  @Test
  void aContextIsWhereItsGroupIsAndInTheRootWhenThatIsNotThere() {
    scheduler.open(0, Schedulers.spec("a", Priority.NORMAL));
    Readings readings = scheduler.core().readings();
    assertFalse(readings.isCovered(0));
    scheduler.apply(tree(group("a", "compute.guarantee", "sim0 500000")));
    assertTrue(readings.isCovered(0));
    assertEquals(1_000_000_000, scheduler.periodNs(0));
    scheduler.apply(tree(group("b", "compute.guarantee", "sim0 500000")));
    assertFalse(readings.isCovered(0));
    scheduler.apply(
        tree(group("b", "compute.guarantee", "sim0 50000 100000"), group("a", "parent", "b")));
    assertTrue(readings.isCovered(0));
    assertEquals(100_000_000, scheduler.periodNs(0));
  }

  @Test
  void whatWasUsedOfABudgetStaysUsedWhenOtherGroupsComeAndGo() {
    GroupSpec promised = group("a", "compute.guarantee", "sim0 500000");
    scheduler.apply(tree(promised, group("b"), group("c", "parent", "b")));
    scheduler.open(0, Schedulers.spec("a", Priority.NORMAL));
    scheduler.ready(0);
    scheduler.at(10);
    assertEquals(0, scheduler.next(10));
    scheduler.started(0, 0, 10, SchedulingCore.AVERAGE);
    scheduler.ended(0, 0, 300_000_000, 0, 300_000_010);
    assertEquals(200_000_000, scheduler.core().readings().budgetNs(0));
    scheduler.apply(tree(promised));
    scheduler.apply(tree(promised, group("d", "compute.max", "sim0 5000")));
    assertEquals(200_000_000, scheduler.core().readings().budgetNs(0));
  }

  /** Any tree after any other: each group's promise and limit are those of the last one. */
  @Property(tries = 300)
  void theLastTreeHolds(
      @ForAll @Size(min = 1, max = 20) List<@Size(5) List<@IntRange(max = 1023) Integer>> trees) {
    DeviceScheduler fresh = new DeviceScheduler("sim0", CONTEXTS, 4, HostGroups.PROCESSES, 0);
    for (int c = 0; c < CONTEXTS; c++) {
      fresh.open(c, Schedulers.spec(NAMES.get(c), Priority.NORMAL));
      fresh.ready(c);
    }
    AccelGroups last = AccelGroups.EMPTY;
    for (List<Integer> shape : trees) {
      last = tree(random(shape));
      fresh.apply(last);
      int c = fresh.next(5);
      assertTrue(c >= 0);
      fresh.started(0, c, 5, SchedulingCore.AVERAGE);
      fresh.ended(0, c, 1000, 0, 6);
    }
    Readings readings = fresh.core().readings();
    for (int c = 0; c < CONTEXTS; c++) {
      boolean covered = last.guarantee(NAMES.get(c), "sim0").isPresent();
      assertEquals(covered, readings.isCovered(c), NAMES.get(c));
    }
  }

  /** Groups in a random order, each below one that came before it, or below the root. */
  private static GroupSpec[] random(List<Integer> shape) {
    List<GroupSpec> made = new ArrayList<>();
    List<String> order = new ArrayList<>(NAMES);
    Collections.rotate(order, shape.getFirst() % 5);
    for (int i = 0; i < shape.size(); i++) {
      int bits = shape.get(i);
      if (bits % 4 == 0) {
        continue;
      }
      List<String> keys = new ArrayList<>();
      if (!made.isEmpty() && bits % 4 == 1) {
        keys.addAll(List.of("parent", made.get(bits / 4 % made.size()).name()));
      } else if (bits % 4 == 2) {
        keys.addAll(List.of("compute.guarantee", "sim0 " + (10_000 + bits)));
      }
      if (bits / 16 % 3 == 0) {
        keys.addAll(List.of("compute.max", "sim0 " + (600_000 + bits)));
      }
      keys.addAll(List.of("compute.weight", Integer.toString(1 + bits)));
      made.add(group(order.get(i), keys.toArray(String[]::new)));
    }
    return made.toArray(GroupSpec[]::new);
  }
}
