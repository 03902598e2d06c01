package io.isle.apps.chaos.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final long MINUTE_MS = 60_000;
  private static final List<Part> PARTS =
      List.of(
          new Part("leaf.b", 3, true),
          new Part("core.b", 1, false),
          new Part("leaf.a", 1, true),
          new Part("run", 0, true),
          new Part("core.a", 2, false));
  private static final Fleet FLEET = Fleet.of(PARTS);

  @Property(tries = 200)
  void everyWholeMinuteHasEnoughOfEachKind(
      @ForAll long seed, @ForAll @IntRange(max = 4) int minute) {
    List<Step> steps = Schedule.of(seed, FLEET, 5 * MINUTE_MS);
    for (FaultKind kind : FaultKind.values()) {
      long count =
          steps.stream()
              .filter(step -> step.kind() == kind && step.atMs() / MINUTE_MS == minute)
              .count();
      assertTrue(count >= Schedule.WANTED_A_MINUTE, kind + " only " + count);
    }
  }

  @Property(tries = 200)
  void aShortRunHasItsShare(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int seconds) {
    List<Step> steps = Schedule.of(seed, FLEET, seconds * 1000L);
    for (FaultKind kind : FaultKind.values()) {
      long count = steps.stream().filter(step -> step.kind() == kind).count();
      assertTrue(count >= Schedule.wanted(seconds / 60.0), kind + " only " + count);
    }
  }

  @Property(tries = 200)
  void equalSeedsGiveEqualStepsHoweverLongTheRun(@ForAll long seed) {
    List<Step> shorter = Schedule.of(seed, FLEET, MINUTE_MS);
    List<Step> longer = Schedule.of(seed, FLEET, 3 * MINUTE_MS);
    assertEquals(shorter, longer.subList(0, shorter.size()));
    assertNotEquals(shorter, Schedule.of(seed + 1, FLEET, MINUTE_MS));
  }

  @Property(tries = 200)
  void theOrderInWhichBundlesAreFoundDoesNotCount(@ForAll long seed) {
    Fleet other = Fleet.of(PARTS.reversed());
    assertEquals(Schedule.of(seed, FLEET, 5 * MINUTE_MS), Schedule.of(seed, other, 5 * MINUTE_MS));
  }

  @Test
  void warmingUpTakesTheCoreFirstAndLeavesOutWhatCarriesTheRun() {
    List<String> bundles =
        Schedule.once(FLEET).stream()
            .filter(step -> step.kind() == FaultKind.BUNDLE_RESTART)
            .map(Step::target)
            .toList();
    assertEquals(List.of("core.a", "core.b", "leaf.a", "leaf.b"), bundles);
  }

  @Property(tries = 20)
  void aBundleIsRestartedAsOftenAsItsWeightSays(@ForAll long seed) {
    Map<String, Integer> times = new HashMap<>();
    for (Step step : Schedule.of(seed, FLEET, 500 * MINUTE_MS)) {
      if (step.kind() == FaultKind.BUNDLE_RESTART) {
        times.merge(step.target(), 1, Integer::sum);
      }
    }
    int all = times.values().stream().mapToInt(Integer::intValue).sum();
    assertEquals(2.0 / 7, (double) times.get("core.a") / all, 0.05);
    assertEquals(1.0 / 7, (double) times.get("core.b") / all, 0.05);
    assertEquals(3.0 / 7, (double) times.get("leaf.b") / all, 0.05);
  }

  @Property(tries = 200)
  void stepsAreNumberedAndInTheirOrderOfTime(@ForAll long seed) {
    List<Step> steps = Schedule.of(seed, FLEET, MINUTE_MS);
    for (int i = 0; i < steps.size(); i++) {
      assertEquals(i + 1, steps.get(i).number());
      assertTrue(i == 0 || steps.get(i).atMs() >= steps.get(i - 1).atMs());
    }
  }

  @Property(tries = 200)
  void noNativeDriverCrashesInThePlatformsProcess(@ForAll long seed) {
    crashesAreIsolated(Schedule.of(seed, FLEET, 5 * MINUTE_MS));
  }

  @Test
  void warmingUpMeetsEveryKindOnEveryTargetThatItFits() {
    List<Step> steps = Schedule.once(FLEET);
    crashesAreIsolated(steps);
    Set<FaultKind> kinds = new HashSet<>();
    Set<String> targets = new HashSet<>();
    for (Step step : steps) {
      kinds.add(step.kind());
      targets.add(step.target());
    }
    assertEquals(Set.of(FaultKind.values()), kinds);
    FLEET.machines().forEach(machine -> assertTrue(targets.contains(machine.id())));
    FLEET.parts().forEach(part -> assertTrue(targets.contains(part.bundle())));
    assertEquals(steps.size(), new HashSet<>(steps).size());
  }

  @Test
  void afterWarmingUpDevicesAreInTheirTiers() {
    Map<String, Integer> tiers = new HashMap<>();
    for (Step step : Schedule.once(FLEET)) {
      if (step.kind() == FaultKind.TIER) {
        tiers.put(step.target(), step.choice());
      }
    }
    assertEquals(Map.of("soft0", 2, "soft1", 2, "display0", 2), tiers);
  }

  private static void crashesAreIsolated(List<Step> steps) {
    Map<String, Integer> tiers = new HashMap<>();
    Map<String, Machine> machines = new HashMap<>();
    for (Machine machine : FLEET.machines()) {
      tiers.put(machine.id(), machine.tier());
      machines.put(machine.id(), machine);
    }
    for (Step step : steps) {
      if (step.kind() == FaultKind.TIER) {
        assertTrue(machines.get(step.target()).moves(), step::toString);
        assertEquals(3, tiers.put(step.target(), step.choice()) + step.choice());
      } else if (step.kind() == FaultKind.CRASH_KILL || step.kind() == FaultKind.HOST_HANG) {
        assertEquals(2, tiers.get(step.target()), step::toString);
      } else if (step.kind().crash()) {
        assertTrue(
            tiers.get(step.target()) == 2 || machines.get(step.target()).java(), step::toString);
      }
    }
  }
}
