package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servers: each rule by itself. */
class GuaranteesTest {
  private final SchedulingCore core = core(2);

  static SchedulingCore core(int depth) {
    return new SchedulingCore(16, 8, depth, 1, SchedulingPolicy.GUARANTEED, 0);
  }

  /** Runs one submission alone on the device; returns whose it was. */
  private int serve(long now, long busy) {
    int c = core.next(now);
    if (c != SchedulingCore.NONE) {
      core.onStart(0, c, now);
      core.onEnd(0, busy, now + busy);
    }
    return c;
  }

  @Test
  void theEarlierDeadlineGoesFirst() {
    core.open(0, 0, 1, 5 * MS, 20 * MS);
    core.open(1, 0, 1, 5 * MS, 10 * MS);
    core.ready(0);
    core.ready(1);
    assertEquals(1, serve(0, MS));
    assertEquals(20 * MS, core.readings().deadline(0));
    assertEquals(10 * MS, core.readings().deadline(1));
  }

  @Test
  void equalDeadlinesGoById() {
    for (int c = 4; c >= 0; c--) {
      core.open(c, 0, 1, MS, 10 * MS);
      core.ready(c);
    }
    assertEquals(0, core.next(0));
  }

  @Test
  void aHigherPriorityGoesBeforeAnEarlierDeadline() {
    core.open(0, 0, 3, 5 * MS, 20 * MS);
    core.open(1, 0, 1, 5 * MS, 10 * MS);
    core.ready(0);
    core.ready(1);
    assertEquals(0, core.next(0));
  }

  @Test
  void aBudgetGoesBeforePriority() {
    core.open(0, 0, 2, 0, 0);
    core.open(1, 0, 0, 5 * MS, 10 * MS);
    core.ready(0);
    core.ready(1);
    assertEquals(1, core.next(0));
  }

  @Test
  void whoHasNoBudgetLeftRunsOnlyWhenNobodyElseCan() {
    core.open(0, 0, 2, 2 * MS, 10 * MS);
    core.open(1, 0, 0, 0, 0);
    core.ready(0);
    core.ready(1);
    assertEquals(0, serve(0, 2 * MS));
    assertEquals(1, serve(2 * MS, MS));
    core.idle(1);
    assertEquals(0, serve(3 * MS, MS));
    assertEquals(0, core.readings().budgetNs(0), "what nobody else wanted costs no budget");
    core.ready(1);
    assertEquals(1, core.next(9 * MS));
    assertEquals(10 * MS, core.nextTimer());
    assertEquals(0, core.next(10 * MS));
  }

  @Test
  void anOverrunIsPaidBackInTheNextPeriods() {
    core.open(0, 0, 1, 2 * MS, 10 * MS);
    core.open(1, 0, 1, 0, 0);
    core.ready(0);
    core.ready(1);
    assertEquals(0, serve(0, 7 * MS));
    assertEquals(-5 * MS, core.readings().budgetNs(0));
    assertEquals(30 * MS, core.nextTimer(), "three periods' quota makes up for it");
    for (long t = 7; t < 30; t++) {
      assertEquals(1, serve(t * MS, MS), t + " ms");
    }
    assertEquals(0, core.next(30 * MS));
    assertEquals(MS, core.readings().budgetNs(0));
    assertEquals(40 * MS, core.readings().deadline(0));
  }

  @Test
  void severalInFlightOverrunByOneSubmissionAtMost() {
    SchedulingCore deep = core(8);
    deep.open(0, 0, 1, 3 * MS, 10 * MS);
    deep.open(1, 0, 1, 0, 0);
    deep.ready(0);
    deep.ready(1);
    deep.onStart(0, 0, 0);
    deep.onEnd(0, 2 * MS, 0);
    assertEquals(2 * MS, deep.readings().estimateNs(0));
    assertEquals(0, deep.next(0));
    deep.onStart(0, 0, 0);
    assertEquals(1, deep.next(0), "what is in flight is charged already");
    deep.onEnd(0, MS / 2, MS);
    assertEquals(0, deep.next(MS), "and given back when it took less");
  }

  @Test
  void whatWasAbandonedCostsNothing() {
    core.open(0, 0, 1, MS / 2, 10 * MS);
    core.open(1, 0, 1, 0, 0);
    core.ready(0);
    core.ready(1);
    core.onStart(0, 0, 0);
    assertEquals(1, core.next(0));
    core.onAbandon(0);
    assertEquals(0, core.next(0));
    assertEquals(MS / 2, core.readings().budgetNs(0));
    assertEquals(0, core.readings().givenNs(0));
  }

  @Test
  void whoWakesKeepsWhatIsLessThanItsShareUntilTheDeadline() {
    core.open(0, 0, 1, 5 * MS, 10 * MS);
    core.ready(0);
    assertEquals(0, serve(0, 4 * MS));
    core.idle(0);
    core.at(5 * MS);
    core.ready(0);
    assertEquals(MS, core.readings().budgetNs(0), "1 of 5 ms is less than a half");
    assertEquals(10 * MS, core.readings().deadline(0));
    core.idle(0);
    core.at(8 * MS);
    core.ready(0);
    assertEquals(5 * MS, core.readings().budgetNs(0), "1 of 2 ms is not");
    assertEquals(18 * MS, core.readings().deadline(0));
  }

  @Test
  void whatIsInFlightIsNoRest() {
    core.open(0, 0, 1, 5 * MS, 10 * MS);
    core.ready(0);
    core.onStart(0, 0, 0);
    core.idle(0);
    core.at(9 * MS);
    core.ready(0);
    assertEquals(10 * MS, core.readings().deadline(0));
  }

  @Test
  void aDebtStaysOverARest() {
    core.open(0, 0, 1, 2 * MS, 10 * MS);
    core.ready(0);
    assertEquals(0, serve(0, 9 * MS));
    core.idle(0);
    core.at(15 * MS);
    core.ready(0);
    assertEquals(-5 * MS, core.readings().budgetNs(0));
    assertEquals(20 * MS, core.readings().deadline(0));
  }

  @Test
  void contextsOfOneServerShareItFairly() {
    core.setGroup(1, 0, 8 * MS, 10 * MS, 0, 0, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 1, 1, 0, 0);
    core.open(2, 0, 3, 0, 0);
    for (int c = 0; c < 3; c++) {
      core.ready(c);
    }
    List<Integer> order = new ArrayList<>();
    for (long t = 0; t < 10; t++) {
      order.add(serve(t * MS, MS));
    }
    assertEquals(List.of(0, 1, 0, 1, 0, 1, 0, 1, 2, 2), order);
  }

  @Test
  void aGuaranteeOfItsOwnIsCarvedOutOfTheGroups() {
    core.setGroup(1, 0, 8 * MS, 10 * MS, 0, 0, 100);
    core.open(0, 1, 1, 0, 0);
    assertEquals(8 * MS, core.readings().groupServedNs(1));
    core.open(1, 1, 1, 6 * MS, 20 * MS);
    assertEquals(5 * MS, core.readings().groupServedNs(1));
    core.setGroup(2, 1, 40 * MS, 100 * MS, 0, 0, 100);
    assertEquals(MS, core.readings().groupServedNs(1));
    core.open(2, 2, 1, 0, 0);
    assertTrue(core.readings().isCovered(2));
    core.setContext(1, 1, 1, 20 * MS, 20 * MS);
    assertEquals(0, core.readings().groupServedNs(1), "nothing is left");
    assertFalse(core.readings().isCovered(0));
    core.close(1);
    assertEquals(4 * MS, core.readings().groupServedNs(1));
    assertTrue(core.readings().isCovered(0));
  }

  @Test
  void whoIsPromisedNothingHasNoPartOfWhatIsAbove() {
    core.setGroup(1, 0, 6 * MS, 10 * MS, 0, 0, 100);
    core.setGroup(2, 1, 0, 1_000 * MS, 0, 0, 100);
    core.setGroup(3, 2, 0, 0, 0, 0, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 3, 1, 0, 0);
    core.open(2, 0, 1, 0, 0);
    assertTrue(core.readings().isCovered(0));
    assertFalse(core.readings().isCovered(1));
    SimulatedEngine engine = new SimulatedEngine(core, 1);
    var a = engine.tenant(0, () -> MS).floods();
    var none = engine.tenant(1, () -> MS).floods();
    var other = engine.tenant(2, () -> MS).floods();
    engine.run(1_000 * MS);
    assertEquals(600 * MS, a.given, 6 * MS);
    assertEquals(200 * MS, none.given, 6 * MS, "it has its weight beside the root's own");
    assertEquals(200 * MS, other.given, 6 * MS);
    core.setGroup(2, 1, 0, 0, 0, 0, 100);
    assertTrue(core.readings().isCovered(1), "without the key it shares what its parent has");
  }

  @Test
  void whoIsPromisedNothingIsBelowItsParentsCeilingAllTheSame() {
    core.setGroup(1, 0, 2 * MS, 10 * MS, 3 * MS, 10 * MS, 100);
    core.setGroup(2, 1, 0, 1_000 * MS, 0, 0, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 2, 1, 0, 0);
    core.open(2, 0, 1, 0, 0);
    SimulatedEngine engine = new SimulatedEngine(core, 1);
    var a = engine.tenant(0, () -> MS / 2).floods();
    var none = engine.tenant(1, () -> MS / 2).floods();
    var other = engine.tenant(2, () -> MS / 2).floods();
    engine.run(1_000 * MS);
    assertEquals(200 * MS, a.given, 3 * MS);
    assertEquals(100 * MS, none.given, 3 * MS);
    assertEquals(700 * MS, other.given, 6 * MS);
  }

  @Test
  void whoseGroupHasGivenAllAwayDoesNotUseWhatIsAboveThat() {
    core.setGroup(1, 0, 8 * MS, 10 * MS, 0, 0, 100);
    core.setGroup(2, 1, 4 * MS, 10 * MS, 0, 0, 100);
    core.open(0, 2, 1, 4 * MS, 10 * MS);
    core.open(1, 2, 1, 0, 0);
    core.open(2, 1, 1, 0, 0);
    assertFalse(core.readings().isCovered(1));
    assertTrue(core.readings().isCovered(2));
  }

  @Test
  void aPauseIsNoRest() {
    core.open(0, 0, 1, 5 * MS, 10 * MS);
    core.open(1, 0, 1, 1 * MS, 10 * MS);
    core.ready(0);
    core.pause(0);
    assertEquals(SchedulingCore.NONE, core.next(MS));
    core.setContext(1, 0, 1, 2 * MS, 10 * MS);
    core.at(9 * MS);
    core.ready(0);
    assertEquals(10 * MS, core.readings().deadline(0));
    core.pause(0);
    core.idle(0);
    core.at(9 * MS + 1);
    core.ready(0);
    assertEquals(19 * MS + 1, core.readings().deadline(0), "but what follows it is");
  }

  @Test
  void aGroupsContextsInSeveralPrioritiesUseOneBudget() {
    core.setGroup(1, 0, 2 * MS, 10 * MS, 0, 0, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 1, 3, 0, 0);
    core.open(2, 0, 0, 0, 0);
    core.ready(0);
    core.ready(2);
    assertEquals(0, serve(0, MS));
    core.ready(1);
    assertEquals(1, serve(MS, MS));
    assertEquals(2, core.next(2 * MS));
    assertEquals(1, core.next(10 * MS));
    core.idle(1);
    assertEquals(0, core.next(10 * MS));
  }

  @Test
  void serviceThatWasDueIsMadeUpForWithinBounds() {
    core.open(0, 0, 1, 5 * MS, 10 * MS);
    core.ready(0);
    assertEquals(0, serve(0, MS));
    long late = 60_000 * MS;
    assertEquals(0, serve(late, 4 * MS));
    assertEquals(5 * MS, core.readings().budgetNs(0));
    assertEquals(late + 4 * MS - 1_000 * MS, core.readings().deadline(0), "a second, no minute");
  }

  @Test
  void aNewQuotaActsAtOnceAndWhatWasUsedStaysUsed() {
    core.open(0, 0, 1, 5 * MS, 10 * MS);
    core.ready(0);
    assertEquals(0, serve(0, 2 * MS));
    core.setContext(0, 0, 1, 4 * MS, 10 * MS);
    assertEquals(2_200_000, core.readings().budgetNs(0), "8 ms at 40 %, less 1 ms ahead of 50 %");
    core.setContext(0, 0, 1, MS, 10 * MS);
    assertEquals(0, core.readings().budgetNs(0), "no new debt");
    core.setContext(0, 0, 1, 9 * MS, 10 * MS);
    assertEquals(6_400_000, core.readings().budgetNs(0), "80 % more, for the rest of the period");
    core.setContext(0, 0, 1, 9 * MS, 1_000 * MS);
    assertEquals(10 * MS, core.readings().deadline(0));
    core.setContext(0, 0, 1, 0, 0);
    assertFalse(core.readings().isCovered(0));
    assertEquals(SchedulingCore.NEVER, core.readings().deadline(0));
  }

  @Test
  void sharesAreComparedIn128Bits() {
    long unit = 1L << 16;
    long period = Limits.MAX_PERIOD_NS;
    long quota = period * unit;
    assertFalse(Servers.lessThanShare(quota, period, quota, period));
    assertTrue(Servers.lessThanShare(quota - 1, period, quota, period));
    assertFalse(Servers.lessThanShare(quota, period - 1, quota, period));
    assertEquals(quota, Limits.perPeriod(quota, period, period));
    assertEquals(333_334, Limits.perPeriod(MS, 3 * MS, MS), "rounded up");
  }
}
