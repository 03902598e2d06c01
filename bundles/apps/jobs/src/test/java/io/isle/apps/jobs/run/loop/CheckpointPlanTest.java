package io.isle.apps.jobs.run.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** When checkpoints are taken, by a clock of the test. */
class CheckpointPlanTest {
  private static final long S = 1_000_000_000;

  @Test
  void onceASecond() {
    CheckpointPlan plan = new CheckpointPlan(OptionalLong.empty());
    plan.begin(0, 5 * S, 1000);
    assertFalse(plan.isDue(6 * S - 1));
    assertTrue(plan.isDue(6 * S));
    plan.taken(70, 6 * S, 6 * S + 1000);
    assertFalse(plan.isDue(7 * S));
    assertTrue(plan.isDue(7 * S + 1000));
    assertFalse(plan.isDueAt(1 << 20));
  }

  @Test
  void lessOftenWhereItIsDear() {
    CheckpointPlan plan = new CheckpointPlan(OptionalLong.empty());
    plan.begin(0, 0, 2 * S);
    assertFalse(plan.isDue(197 * S));
    assertTrue(plan.isDue(198 * S));
    plan.taken(1, 198 * S, 199 * S);
    assertFalse(plan.isDue(297 * S));
    assertTrue(plan.isDue(298 * S));
    plan.begin(1, 300 * S, 2 * S);
    assertFalse(plan.isDue(398 * S));
    assertTrue(plan.isDue(399 * S));
  }

  @Test
  void everySoManyTurnsOrNever() {
    CheckpointPlan plan = new CheckpointPlan(OptionalLong.of(10));
    plan.begin(20, 0, 0);
    assertFalse(plan.isDue(Long.MAX_VALUE));
    assertFalse(plan.isDueAt(29));
    assertTrue(plan.isDueAt(30));
    plan.taken(30, 0, 0);
    assertFalse(plan.isDueAt(39));
    CheckpointPlan never = new CheckpointPlan(OptionalLong.of(0));
    never.begin(0, 0, 0);
    assertFalse(never.isDue(Long.MAX_VALUE));
    assertFalse(never.isDueAt(Long.MAX_VALUE));
  }

  /** Whatever a checkpoint costs: all of them take at most 1 % of the time, or come once. */
  @Property
  void onePercentAtMost(@ForAll @LongRange(min = 1, max = 100 * S) long cost) {
    CheckpointPlan plan = new CheckpointPlan(OptionalLong.empty());
    plan.begin(0, 0, 0);
    long now = S;
    plan.taken(0, now, now + cost);
    long since = now + cost;
    long spent = 0;
    now = since;
    for (int i = 0; i < 20; i++) {
      while (!plan.isDue(now)) {
        now += Math.max(S / 100, cost / 7);
      }
      plan.taken(0, now, now + cost);
      now += cost;
      spent += cost;
    }
    assertTrue(spent * 100.0 <= (now - since) * 1.0001, spent + " of " + (now - since));
    assertEquals(20, spent / cost);
  }
}
