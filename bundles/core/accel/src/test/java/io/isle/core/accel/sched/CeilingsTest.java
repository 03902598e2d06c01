package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code compute.max}: nobody gets more than its quota a period. */
class CeilingsTest {
  private final SchedulingCore core = GuaranteesTest.core(2);
  private final SimulatedEngine engine = new SimulatedEngine(core, 2);

  @ParameterizedTest
  @EnumSource
  void aCeilingHoldsUnderEveryPolicy(SchedulingPolicy policy) {
    core.setPolicy(policy);
    core.setGroup(1, 0, 0, 0, 2 * MS, 10 * MS, 100);
    core.open(0, 1, 3, 0, 0);
    core.open(1, 1, 0, 0, 0);
    core.open(2, 0, 1, 0, 0);
    var a = engine.tenant(0, () -> MS / 2).floods();
    var b = engine.tenant(1, () -> MS / 2).floods();
    var c = engine.tenant(2, () -> MS / 2).floods();
    engine.run(1_000 * MS);
    assertEquals(200 * MS, a.given + b.given, 2 * MS);
    assertEquals(800 * MS, c.given, 2 * MS);
    assertEquals(a.given + b.given, core.readings().groupGivenNs(1));
    assertEquals(engine.busyNs, core.readings().groupGivenNs(0));
  }

  @Test
  void aCeilingLeavesTheDeviceIdle() {
    core.setGroup(1, 0, 0, 0, 3 * MS, 10 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    var a = engine.tenant(0, () -> MS).floods();
    engine.run(25 * MS);
    assertEquals(9 * MS, a.given);
    assertEquals(30 * MS, core.nextTimer());
    assertTrue(core.readings().isThrottled(1));
    // from where all of the quota is in flight: 1 ms into each period, with two more on the device
    assertEquals(22 * MS, core.readings().groupThrottledNs(1));
    assertEquals(22 * MS, core.readings().throttledNs(0));
    engine.run(30 * MS + 1);
    assertFalse(core.readings().isThrottled(1));
    engine.run(31 * MS);
    assertEquals(10 * MS, a.given);
  }

  @Test
  void aCeilingKeepsOnlyWhoWantsSomething() {
    core.setGroup(1, 0, 0, 0, 3 * MS, 10 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 1, 1, 0, 0);
    var a = engine.tenant(0, () -> MS).floods();
    engine.run(105 * MS);
    assertEquals(0, core.readings().throttledNs(1));
    long before = core.readings().groupThrottledNs(1);
    var b = engine.tenant(1, () -> MS).floods();
    engine.run(205 * MS);
    b.stops();
    long kept = core.readings().throttledNs(1);
    assertEquals(core.readings().groupThrottledNs(1) - before, kept);
    engine.run(305 * MS);
    assertEquals(kept, core.readings().throttledNs(1));
    assertEquals(core.readings().groupThrottledNs(1), core.readings().throttledNs(0));
    assertTrue(a.given > b.given);
    core.setGroup(2, 0, 0, 0, 3 * MS, 10 * MS, 100);
    long all = core.readings().throttledNs(0);
    core.setContext(0, 2, 1, 0, 0);
    assertEquals(all, core.readings().throttledNs(0), "it stays what it was in another group");
  }

  @Test
  void theLowestCeilingAboveCounts() {
    core.setGroup(1, 0, 0, 0, 3 * MS, 10 * MS, 100);
    core.setGroup(2, 1, 0, 0, 0, 0, 100);
    core.setGroup(3, 2, 0, 0, 2 * MS, 10 * MS, 100);
    core.open(0, 3, 1, 0, 0);
    core.open(1, 2, 1, 0, 0);
    var a = engine.tenant(0, () -> MS / 4).floods();
    engine.run(100 * MS);
    assertEquals(20 * MS, a.given, MS / 4);
    var b = engine.tenant(1, () -> MS / 4).floods();
    engine.run(200 * MS);
    assertEquals(50 * MS, a.given + b.given, MS / 2);
  }

  @Test
  void aGuaranteeEndsAtTheCeiling() {
    core.setGroup(1, 0, 5 * MS, 10 * MS, 2 * MS, 10 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 1, 1, 4 * MS, 10 * MS);
    core.open(2, 0, 1, 0, 0);
    var a = engine.tenant(0, () -> MS / 4).floods();
    var b = engine.tenant(1, () -> MS / 4).floods();
    var c = engine.tenant(2, () -> MS / 4).floods();
    engine.run(1_000 * MS);
    assertEquals(200 * MS, a.given + b.given, MS);
    assertEquals(800 * MS, c.given, MS);
  }

  @Test
  void anOverrunIsPaidBack() {
    core.setGroup(1, 0, 0, 0, MS, 10 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    var a = engine.tenant(0, () -> 7 * MS).floods();
    engine.run(10_000 * MS);
    assertEquals(1_000 * MS, a.given, 14 * MS);
  }

  @Test
  void aCeilingThatGoesFreesAtOnce() {
    core.setGroup(1, 0, 0, 0, MS, 10_000 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    var a = engine.tenant(0, () -> MS).floods();
    engine.run(100 * MS);
    assertTrue(a.given <= 2 * MS);
    core.setGroup(1, 0, 0, 0, 0, 0, 100);
    engine.run(200 * MS);
    assertEquals(100 * MS, a.given, 3 * MS);
    core.setGroup(1, 0, 0, 0, MS, 10 * MS, 100);
    engine.run(300 * MS);
    assertEquals(110 * MS, a.given, 4 * MS);
  }

  @Test
  void whoIsParkedMayGoOrChangeItsGroup() {
    core.setGroup(1, 0, 0, 0, MS, 1_000 * MS, 100);
    core.setGroup(2, 0, 0, 0, 0, 0, 100);
    core.open(0, 1, 1, 5 * MS, 10 * MS);
    core.open(1, 1, 1, 5 * MS, 10 * MS);
    for (int c = 0; c < 2; c++) {
      core.ready(c);
    }
    core.onStart(0, 0, 0);
    core.onEnd(0, 3 * MS, 3 * MS);
    assertEquals(SchedulingCore.NONE, core.next(3 * MS));
    core.idle(0);
    core.close(0);
    core.setContext(1, 2, 1, 5 * MS, 10 * MS);
    assertEquals(1, core.next(4 * MS));
  }

  @Property(tries = 60)
  void noWindowOfAPeriodSeesMoreThanTheQuotaAndASubmission(
      @ForAll @IntRange(min = 1, max = 90) int percent,
      @ForAll @LongRange(min = 1, max = 40) long periodMs,
      @ForAll @IntRange(min = 1, max = 4) int depth,
      @ForAll long seed) {
    Random random = new Random(seed);
    SchedulingCore fresh = GuaranteesTest.core(depth);
    SimulatedEngine simulated = new SimulatedEngine(fresh, depth);
    long period = periodMs * MS;
    long quota = period * percent / 100;
    fresh.setGroup(1, 0, 0, 0, quota, period, 100);
    fresh.setGroup(2, 1, 0, 0, 0, 0, 1 + random.nextInt(1000));
    fresh.open(0, 2, random.nextInt(4), 0, 0);
    fresh.open(1, 1, random.nextInt(4), period / 20, period);
    long most = 1 + period / 10;
    var a = simulated.tenant(0, () -> 1 + random.nextLong(most)).floods();
    var b =
        simulated
            .tenant(1, () -> 1 + random.nextLong(most))
            .periodic(0, period / 3, 1 + random.nextInt(4));
    // the estimate is an average, so that what is in flight may be under-charged by as much each
    long granularity = most * depth;
    long before = 0;
    for (long end = period; end <= 50 * period; end += period) {
      simulated.run(end);
      long given = a.given + b.given;
      assertTrue(given - before <= quota + 2 * granularity, given - before + " of " + quota);
      assertTrue(given <= quota * (end / period) + granularity, "altogether");
      before = given;
    }
    assertTrue(before >= quota * 49 - granularity, "and it gets that: " + before);
  }
}
