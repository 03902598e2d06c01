package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights, their tree, and priorities without guarantees. */
class FairnessTest {
  private final SchedulingCore core = GuaranteesTest.core(2);
  private final SimulatedEngine engine = new SimulatedEngine(core, 2);

  private SimulatedEngine.Tenant flood(int c, int group, long duration) {
    core.open(c, group, 1, 0, 0);
    return engine.tenant(c, () -> duration).floods();
  }

  private void group(int g, int parent, int weight) {
    core.setGroup(g, parent, 0, 0, 0, 0, weight);
  }

  private static void assertShare(double expected, SimulatedEngine.Tenant tenant, long whole) {
    double share = (double) tenant.given / whole;
    assertEquals(expected, share, 0.004, "of context " + tenant.context);
  }

  @Test
  void weightsOfSiblingsAreShares() {
    group(1, 0, 300);
    group(2, 0, 100);
    var a = flood(0, 1, MS / 10);
    var b = flood(1, 2, MS);
    engine.run(4_000 * MS);
    assertShare(0.75, a, engine.busyNs);
    assertShare(0.25, b, engine.busyNs);
  }

  /** Who is served, when one comes while another has just run for far longer than before. */
  private static List<Integer> servedAfterALongRun(boolean leases) {
    SchedulingCore core = GuaranteesTest.core(1);
    if (!leases) {
      core.setJournal((kind, time, context, value, budget, deadline) -> {});
    }
    core.open(0, 0, 1, 0, 0);
    core.open(1, 0, 1, 0, 0);
    core.ready(0);
    List<Integer> order = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 80; i++) {
      long ns = i == 20 ? 4 * MS : MS / 10;
      int c = core.next(now);
      core.onStart(0, c, now);
      now += ns;
      core.onEnd(0, ns, now);
      order.add(c);
      if (i == 20) {
        core.ready(1);
      }
    }
    return order;
  }

  @Test
  void whoComesWithinALeaseBeginsWhereTheOtherBeganLast() {
    List<Integer> order = servedAfterALongRun(false);
    assertEquals(Collections.nCopies(40, 1), order.subList(21, 61));
    assertEquals(order, servedAfterALongRun(true));
  }

  /** Who comes waits for one that runs, although its charges were far too large. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void chargesThatAreFarTooLargePushNobodyBack(boolean leases) {
    SchedulingCore fresh = GuaranteesTest.core(2);
    if (!leases) {
      fresh.setJournal((kind, time, context, value, budget, deadline) -> {});
    }
    fresh.open(0, 0, 1, 0, 0);
    fresh.open(1, 0, 1, 0, 0);
    fresh.ready(0);
    long now = 0;
    for (int i = 0; i < 20; i++) {
      fresh.onStart(i & 1, fresh.next(now), now, i < 19 ? Long.MAX_VALUE : 0);
      now += MS;
      fresh.onEnd(~i & 1, MS, now);
    }
    fresh.ready(1);
    int[] served = new int[2];
    for (int i = 0; i < 20; i++) {
      int c = fresh.next(now);
      fresh.onStart(i & 1, c, now, 0);
      served[c]++;
      now += MS;
      fresh.onEnd(i & 1, MS, now);
    }
    assertEquals(10, served[1], 2);
  }

  @Test
  void theExtremesOfWeightsHold() {
    group(1, 0, 10_000);
    group(2, 0, 1);
    var a = flood(0, 1, MS);
    var b = flood(1, 2, MS);
    engine.run(100_010 * MS);
    assertEquals(100_000, a.ended, 10);
    assertEquals(10, b.ended, 2);
  }

  @Test
  void whatABranchHasIsDividedWithinIt() {
    group(1, 0, 100);
    group(2, 0, 100);
    group(3, 1, 100);
    group(4, 1, 300);
    var a = flood(0, 3, MS / 5);
    var b = flood(1, 4, MS / 3);
    var c = flood(2, 2, MS / 2);
    var d = flood(3, 2, MS / 7);
    engine.run(4_000 * MS);
    assertShare(0.125, a, engine.busyNs);
    assertShare(0.375, b, engine.busyNs);
    assertShare(0.25, c, engine.busyNs);
    assertShare(0.25, d, engine.busyNs);
  }

  @Test
  void aContextBesideGroupsHasTheDefaultWeight() {
    group(1, 0, 300);
    var a = flood(0, 1, MS / 5);
    var b = flood(1, 0, MS / 5);
    engine.run(1_000 * MS);
    assertShare(0.75, a, engine.busyNs);
    assertShare(0.25, b, engine.busyNs);
  }

  @Test
  void whatNobodyWantsGoesToTheRest() {
    group(1, 0, 10_000);
    group(2, 0, 1);
    core.open(0, 1, 1, 0, 0);
    var a = engine.tenant(0, () -> MS).periodic(0, 10 * MS, 1);
    var b = flood(1, 2, MS);
    engine.run(1_000 * MS);
    assertEquals(1_000 * MS, engine.busyNs, 2 * MS);
    assertEquals(100, a.ended, 1);
    assertShare(0.9, b, engine.busyNs);
  }

  @Test
  void aRestEarnsNoCredit() {
    var a = flood(0, 0, MS);
    core.open(1, 0, 1, 0, 0);
    var b = engine.tenant(1, () -> MS);
    engine.run(10_000 * MS);
    b.floods();
    long before = a.given;
    engine.run(10_100 * MS);
    assertEquals(50 * MS, b.given, 2 * MS);
    assertEquals(50 * MS, a.given - before, 2 * MS);
  }

  @Test
  void aNewWeightActsAtOnce() {
    group(1, 0, 100);
    group(2, 0, 100);
    var a = flood(0, 1, MS);
    var b = flood(1, 2, MS);
    engine.run(1_000 * MS);
    long before = a.given;
    group(1, 0, 900);
    engine.run(2_000 * MS);
    assertEquals(900 * MS, a.given - before, 3 * MS);
    assertEquals(600 * MS, b.given, 4 * MS);
  }

  @Test
  void aHigherPriorityGoesFirstAndTheLowerOnesFillIn() {
    core.open(0, 0, 2, 0, 0);
    core.open(1, 0, 1, 0, 0);
    var high = engine.tenant(0, () -> 3 * MS).periodic(0, 10 * MS, 1);
    var low = engine.tenant(1, () -> MS / 2).floods();
    engine.run(1_000 * MS);
    assertEquals(100, high.ended, 1);
    assertEquals(700 * MS, low.given, 5 * MS);
    assertTrue(high.longestWait <= MS, "it waits for a submission, not for a tenant");
  }

  @Test
  void failuresCostNothing() {
    Random random = new Random(5);
    var a = flood(0, 0, MS);
    var b = flood(1, 0, MS);
    a.fails = () -> random.nextInt(3) == 0;
    engine.run(2_000 * MS);
    assertShare(0.5, a, engine.busyNs);
    assertShare(0.5, b, engine.busyNs);
  }

  @Test
  void virtualTimesMayRunForYears() {
    group(1, 0, 1);
    group(2, 0, 1);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 2, 1, 0, 0);
    core.ready(0);
    core.ready(1);
    long now = 0;
    int[] served = new int[2];
    long day = 1L << 39;
    for (int i = 0; i < 400_000; i++) {
      int c = core.next(now);
      core.onStart(0, c, now);
      now += day;
      core.onEnd(0, day, now);
      served[c]++;
    }
    assertEquals(served[0], served[1], 2);
  }

  @Property(tries = 40)
  void sharesFollowRandomWeights(
      @ForAll @IntRange(min = 1, max = 10_000) int first,
      @ForAll @IntRange(min = 1, max = 10_000) int second,
      @ForAll @LongRange(min = 1_000, max = 50_000) long duration,
      @ForAll long seed) {
    Random random = new Random(seed);
    SchedulingCore fresh = GuaranteesTest.core(4);
    SimulatedEngine simulated = new SimulatedEngine(fresh, 4);
    fresh.setGroup(1, 0, 0, 0, 0, 0, first);
    fresh.setGroup(2, 0, 0, 0, 0, 0, second);
    fresh.open(0, 1, 1, 0, 0);
    fresh.open(1, 2, 1, 0, 0);
    var a = simulated.tenant(0, () -> 1 + random.nextLong(2 * duration)).floods();
    var ignored = simulated.tenant(1, () -> 1 + random.nextLong(duration)).floods();
    simulated.run(20_000 * duration);
    double share = (double) a.given / simulated.busyNs;
    assertEquals((double) first / (first + second), share, 0.002);
  }
}
