package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices that deliver less than was promised: what is missing is missing in proportion. */
class OverloadTest {
  private static final int DEPTH = 2;

  private static SimulatedEngine engine(int slow, boolean preemptible) {
    SimulatedEngine engine =
        new SimulatedEngine(
            new SchedulingCore(8, 8, DEPTH, 1, SchedulingPolicy.GUARANTEED, 0), DEPTH);
    engine.slow = slow;
    engine.preemptible = preemptible;
    return engine;
  }

  private static SimulatedEngine.Tenant group(
      SimulatedEngine engine, int g, long quotaNs, long periodNs, long workNs) {
    engine.core.setGroup(g, 0, quotaNs, periodNs, 0, 0, 100);
    engine.core.open(g, g, 1, 0, 0);
    return engine.tenant(g, () -> workNs);
  }

  private static double share(SimulatedEngine.Tenant of, SimulatedEngine engine) {
    return of.given / (double) engine.busyNs;
  }

  @ParameterizedTest
  @CsvSource({"false,20,12,12", "true,20,12,12", "false,100,3,1", "true,20,3,15"})
  void whatIsMissingIsMissingInProportion(
      boolean preemptible, long periodMs, long quietMs, long floodMs) {
    SimulatedEngine engine = engine(25, preemptible);
    var quiet = group(engine, 1, 14 * MS, 20 * MS, quietMs * MS).floods();
    var ignored = group(engine, 2, periodMs * 3 / 10 * MS, periodMs * MS, floodMs * MS).floods();
    engine.run(20_000 * MS);
    assertEquals(0.7, share(quiet, engine), 0.005);
  }

  @Test
  void aRestCostsNoMoreThanItself() {
    SimulatedEngine engine = engine(25, true);
    var quiet = group(engine, 1, 14 * MS, 20 * MS, 3 * MS).floods();
    var ignored = group(engine, 2, 6 * MS, 20 * MS, 3 * MS).floods();
    for (long t = 1_000; t < 20_000; t += 1_000) {
      engine.run(t * MS);
      quiet.stops();
      engine.run((t + 40) * MS);
      ignored = quiet.floods();
    }
    // 4 % of the time it did not ask, and each rest may cost a period
    assertTrue(share(quiet, engine) >= 0.66, () -> "" + share(quiet, engine));
    assertTrue(share(quiet, engine) <= 0.7, () -> "" + share(quiet, engine));
  }

  @Test
  void whoComesLateGetsItsShareFromThenOn() {
    SimulatedEngine engine = engine(25, false);
    var first = group(engine, 1, 10 * MS, 20 * MS, MS).floods();
    var second = group(engine, 2, 5 * MS, 20 * MS, MS).floods();
    engine.run(10_000 * MS);
    long before = engine.busyNs;
    var third = group(engine, 3, 5 * MS, 20 * MS, MS).floods();
    engine.run(10_400 * MS);
    assertEquals(0.25, third.given / (double) (engine.busyNs - before), 0.05, "at once");
    engine.run(20_000 * MS);
    assertEquals(0.25, third.given / (double) (engine.busyNs - before), 0.005);
    assertEquals(2.0, first.given / (double) second.given, 0.02);
  }

  @Test
  void whatSeemedToTakeLongerIsTakenBackInBothNumbers() {
    SchedulingCore core = GuaranteesTest.core(1);
    core.open(0, 0, 1, 2 * MS, 10 * MS);
    core.at(1_000 * MS);
    core.ready(0);
    core.onStart(0, core.next(1_000 * MS), 1_000 * MS);
    int ignored = core.preemption().advise(1_100 * MS);
    core.onEnd(0, MS, 1_100 * MS);
    assertEquals(MS, core.readings().budgetNs(0));
    assertEquals(1_010 * MS, core.readings().deadline(0));
  }

  @Test
  void whatSeemedToTakeLongerLeavesACeilingNoMoreThanItsQuota() {
    SchedulingCore core = GuaranteesTest.core(1);
    core.setGroup(1, 0, 0, 0, 14 * MS, 20 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    core.ready(0);
    core.onStart(0, core.next(0), 0);
    int ignored = core.preemption().advise(100 * MS);
    core.onEnd(0, 3 * MS, 100 * MS);
    assertTrue(core.readings().groupLeftNs(1) <= 14 * MS);
    assertTrue(core.readings().groupLeftNs(1) >= 11 * MS);
  }

  @Test
  void aDebtOfAgesKeepsNobodyElseFromRunning() {
    SchedulingCore core = GuaranteesTest.core(1);
    long period = Limits.MAX_PERIOD_NS;
    core.setGroup(1, 0, 0, 0, Limits.MIN_QUOTA_NS, period, 100);
    core.open(0, 0, 1, Limits.MIN_QUOTA_NS, period);
    core.open(1, 1, 1, 0, 0);
    core.open(2, 0, 0, 0, 0);
    for (int c = 0; c < 3; c++) {
      core.ready(c);
    }
    for (int c = 0; c < 2; c++) {
      assertEquals(c, core.next(0));
      core.onStart(0, c, 0);
      core.onEnd(0, Limits.MAX_CHARGE_NS, 0);
    }
    for (long now = 0; now < 10 * period; now += period) {
      assertEquals(2, core.next(now));
      core.onStart(0, 2, now);
      core.onEnd(0, 2 * MS, now);
    }
  }

  /** Any speed, any lengths: shares differ by no more than turns at the ends of the time. */
  @Property(tries = 100)
  void sharesAreInProportionToPromises(@ForAll long seed) {
    Random random = new Random(seed);
    int slow = 12 + random.nextInt(40);
    SimulatedEngine engine = engine(slow, random.nextBoolean());
    int count = 2 + random.nextInt(3);
    List<SimulatedEngine.Tenant> tenants = new ArrayList<>();
    double[] promised = new double[count];
    double sum = 0;
    long turns = 0;
    for (int g = 0; g < count; g++) {
      long period = (5 + random.nextInt(60)) * MS;
      // together all of the device, or nearly
      long quota = period * (100 / count - random.nextInt(3)) / 100;
      long longest = (1 + random.nextInt(12)) * MS;
      engine.core.setGroup(g + 1, 0, quota, period, 0, 0, 100);
      engine.core.open(g, g + 1, 1, 0, 0);
      tenants.add(engine.tenant(g, () -> 1 + random.nextLong(longest)).floods());
      promised[g] = quota / (double) period;
      sum += promised[g];
      turns += quota + DEPTH * longest;
    }
    engine.run(30_000 * MS);
    for (int g = 0; g < count; g++) {
      double due = promised[g] / sum;
      assertEquals(
          due,
          share(tenants.get(g), engine),
          0.001 + turns / (double) engine.busyNs,
          "seed " + seed);
    }
  }
}
