package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.PreemptReason;
import org.junit.jupiter.api.Test;

class PreemptionTest {
  private final SchedulingCore core = GuaranteesTest.core(1);
  private final Preemption preemption = core.preemption();

  private void running(int c, int group, int priority, long quota) {
    core.open(c, group, priority, quota, 10 * MS);
    core.ready(c);
    assertEquals(c, core.next(0));
    core.onStart(0, c, 0);
  }

  private void waiting(int c, int priority, long quota) {
    core.open(c, 0, priority, quota, 10 * MS);
    core.ready(c);
  }

  @Test
  void aHigherPriorityThatWaitsIsAnInversion() {
    running(0, 0, 0, 0);
    assertEquals(Preemption.NONE, preemption.advise(0));
    waiting(1, 3, MS);
    assertEquals(0, preemption.advise(0));
    assertEquals(PreemptReason.PRIORITY_INVERSION, preemption.reason());
    preemption.onAsked(0);
    assertEquals(Preemption.NONE, preemption.advise(0), "it was asked already");
  }

  @Test
  void oneLeavesForOneThatWaits() {
    SchedulingCore wide = GuaranteesTest.core(8);
    wide.setLimit(2);
    wide.preemption().setParallel(2);
    for (int c = 0; c < 2; c++) {
      wide.open(c, 0, 0, 0, 0);
      wide.ready(c);
      wide.onStart(c, wide.next(0), 0);
    }
    wide.open(2, 0, 3, 0, 0);
    wide.ready(2);
    int first = wide.preemption().advise(0);
    assertTrue(first >= 0);
    wide.preemption().onAsked(first);
    assertEquals(Preemption.NONE, wide.preemption().advise(0));
    wide.onEnd(first, 10, 10);
    wide.onStart(first, wide.next(10), 10);
    wide.idle(2);
    assertEquals(Preemption.NONE, wide.preemption().advise(10));
  }

  /** Beside others: not from when the device got it, nor anew whenever another one ends. */
  @Test
  void whatWaitedInTheDeviceIsChargedFromWhenItBegan() {
    SchedulingCore wide = GuaranteesTest.core(4);
    wide.preemption().setParallel(2);
    for (int c = 0; c < 4; c++) {
      wide.open(c, 0, 1, 20 * MS, 100 * MS);
      wide.ready(c);
      wide.onStart(c, c, 0);
      wide.idle(c);
    }
    assertEquals(Preemption.NONE, wide.preemption().advise(0));
    wide.onEnd(0, 5 * MS, 10 * MS);
    assertEquals(Preemption.NONE, wide.preemption().advise(10 * MS));
    assertEquals(19 * MS, wide.readings().budgetNs(2), "it was charged in advance");
    assertEquals(15 * MS, wide.readings().budgetNs(1), "half of the device since the beginning");
    wide.onEnd(1, 6 * MS, 12 * MS);
    assertEquals(Preemption.NONE, wide.preemption().advise(13 * MS));
    assertEquals(18_500_000, wide.readings().budgetNs(2), "not from the last end on");
  }

  @Test
  void aFreeSlotIsNoReason() {
    SchedulingCore deep = GuaranteesTest.core(2);
    deep.open(0, 0, 0, 0, 0);
    deep.open(1, 0, 2, 0, 0);
    deep.ready(0);
    deep.onStart(0, 0, 0);
    deep.ready(1);
    assertEquals(Preemption.NONE, deep.preemption().advise(0));
    deep.onStart(1, 1, 0);
    deep.idle(1);
    assertEquals(0, deep.preemption().advise(0), "the device runs one after the other");
    deep.preemption().setParallel(2);
    assertEquals(Preemption.NONE, deep.preemption().advise(0), "or both side by side");
  }

  @Test
  void whoGoesFirstIsNextOnADeviceThatDoesNotStop() {
    SchedulingCore deep = GuaranteesTest.core(3);
    deep.setLimit(2);
    Preemption advice = deep.preemption();
    advice.setStops(false);
    for (int c = 0; c < 2; c++) {
      deep.open(c, 0, 0, 0, 0);
      deep.ready(c);
      deep.onStart(c, deep.next(0), 0);
    }
    deep.open(2, 0, 0, 0, 0);
    deep.ready(2);
    assertEquals(Preemption.NONE, advice.advise(100 * MS), "equals wait their turn");
    deep.idle(2);
    deep.open(3, 0, 3, 0, 0);
    deep.ready(3);
    assertEquals(1, advice.advise(100 * MS), "what runs goes on");
    assertEquals(PreemptReason.PRIORITY_INVERSION, advice.reason());
    advice.onAsked(1);
    assertEquals(Preemption.NONE, advice.advise(100 * MS));
    deep.setLimit(3);
    deep.onAbandon(1);
    deep.onStart(1, 3, 100 * MS);
    deep.onStart(2, 1, 100 * MS);
    assertEquals(Preemption.NONE, advice.advise(100 * MS), "it is in front of the other now");
  }

  @Test
  void whatWaitsBeyondItsBudgetOrCeilingComesBackFromADeviceThatDoesNotStop() {
    SchedulingCore deep = GuaranteesTest.core(2);
    Preemption advice = deep.preemption();
    advice.setStops(false);
    deep.setGroup(1, 0, 3 * MS, 10 * MS, 8 * MS, 10 * MS, 100);
    deep.open(0, 1, 1, 0, 0);
    deep.open(1, 0, 1, MS, 10 * MS);
    deep.ready(0);
    deep.onStart(0, 0, 0);
    deep.onStart(1, 0, 0);
    assertEquals(Preemption.NONE, advice.advise(MS));
    deep.ready(1);
    assertEquals(Preemption.NONE, advice.advise(MS), "both have budget");
    assertEquals(1, advice.advise(4 * MS), "the one that runs has used it up");
    assertEquals(PreemptReason.FAIRNESS_TIMEOUT, advice.reason());
    deep.idle(1);
    assertEquals(Preemption.NONE, advice.advise(5 * MS));
    assertEquals(1, advice.advise(9 * MS), "and the ceiling is reached");
    assertEquals(PreemptReason.FAIRNESS_TIMEOUT, advice.reason());
  }

  @Test
  void whoHasUsedItsBudgetUpLeavesForWhoWaits() {
    running(0, 0, 1, 3 * MS);
    waiting(1, 1, 0);
    assertEquals(Preemption.NONE, preemption.advise(MS));
    assertEquals(3 * MS, preemption.nextTimer());
    assertEquals(0, preemption.advise(3 * MS));
    assertEquals(PreemptReason.FAIRNESS_TIMEOUT, preemption.reason());
  }

  @Test
  void equalsTakeTurnsOfASlice() {
    running(0, 0, 1, 0);
    waiting(1, 1, 0);
    assertEquals(Preemption.NONE, preemption.advise(MS));
    assertEquals(Preemption.SLICE_NS, preemption.nextTimer());
    assertEquals(0, preemption.advise(Preemption.SLICE_NS));
    assertEquals(PreemptReason.FAIRNESS_TIMEOUT, preemption.reason());
  }

  @Test
  void aPromiseGoesBeforeWeights() {
    running(0, 0, 1, 0);
    waiting(1, 1, MS);
    assertEquals(Preemption.NONE, preemption.advise(0));
    assertEquals(Preemption.LEAST_RUN_NS, preemption.nextTimer());
    assertEquals(0, preemption.advise(Preemption.LEAST_RUN_NS));
    assertEquals(PreemptReason.FAIRNESS_TIMEOUT, preemption.reason());
  }

  @Test
  void aCeilingEndsARunThatNobodyWaitsFor() {
    core.setGroup(1, 0, 0, 0, 4 * MS, 10 * MS, 100);
    running(0, 1, 1, 0);
    assertEquals(Preemption.NONE, preemption.advise(MS));
    assertEquals(4 * MS, preemption.nextTimer());
    assertEquals(0, preemption.advise(4 * MS));
    assertEquals(PreemptReason.FAIRNESS_TIMEOUT, preemption.reason());
  }

  @Test
  void roundRobinKnowsNoInversion() {
    core.setPolicy(SchedulingPolicy.ROUND_ROBIN);
    running(0, 0, 0, 0);
    waiting(1, 3, 0);
    assertEquals(Preemption.NONE, preemption.advise(0));
    assertEquals(0, preemption.advise(Preemption.SLICE_NS));
  }

  @Test
  void aRealtimeContextDoesNotWaitForLongWorkWhereItCanBeTakenOff() {
    SchedulingCore deep = GuaranteesTest.core(2);
    SimulatedEngine engine = new SimulatedEngine(deep, 2);
    engine.preemptible = true;
    deep.open(0, 0, 3, 2 * MS, 10 * MS);
    deep.open(1, 0, 0, 0, 0);
    var realtime = engine.tenant(0, () -> MS).periodic(0, 10 * MS, 1);
    var flood = engine.tenant(1, () -> 500 * MS).floods();
    engine.run(3_000 * MS);
    assertTrue(realtime.longestWait <= 2 * MS, "waited " + realtime.longestWait);
    assertEquals(300, realtime.ended, 1);
    assertEquals(2_700 * MS, flood.given, 20 * MS);
    assertTrue(engine.preemptions >= 250 && engine.preemptions < 700, "" + engine.preemptions);
  }

  @Test
  void aCeilingHoldsForOneLongSubmission() {
    SimulatedEngine engine = new SimulatedEngine(core, 1);
    engine.preemptible = true;
    core.setGroup(1, 0, 0, 0, 3 * MS, 10 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    var a = engine.tenant(0, () -> 10_000 * MS).floods();
    engine.run(1_000 * MS);
    assertEquals(300 * MS, a.given, 4 * MS);
  }
}
