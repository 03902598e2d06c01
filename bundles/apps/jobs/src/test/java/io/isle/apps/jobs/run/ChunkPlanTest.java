package io.isle.apps.jobs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ChunkPlanTest {
  @Property
  void piecesAreWholeUnitsThatFit(
      @ForAll @LongRange(min = 1, max = 1L << 40) long unit,
      @ForAll @IntRange(min = 0, max = 4096) int record,
      @ForAll boolean sum,
      @ForAll @LongRange(min = -1, max = 1L << 50) long size,
      @ForAll @LongRange(min = 0, max = 1L << 40) long budget) {
    Shape shape = new Shape(unit, record, sum);
    ChunkPlan plan = ChunkPlan.of(shape, size, budget);
    if (plan.slots() > 0) {
      assertEquals(0, plan.bytes() % unit);
      assertTrue(plan.bytes() >= unit);
      assertTrue(plan.bytes() <= Math.max(unit, ChunkPlan.TARGET));
      long slot = plan.bytes() + shape.resultBytes(plan.bytes());
      assertTrue(plan.slots() * slot <= budget, plan.toString());
    }
  }

  @Test
  void aBigFileGoesInThreePiecesOfEightMebibytes() {
    Shape shape = new Shape(1 << 20, 32, false);
    assertEquals(new ChunkPlan(3, 8 << 20), ChunkPlan.of(shape, 3L << 30, 64 << 20));
    assertEquals(new ChunkPlan(3, 8 << 20), ChunkPlan.of(shape, -1, 64 << 20));
    assertEquals(new ChunkPlan(3, 2 << 20), ChunkPlan.of(shape, (1 << 20) + 1, 64 << 20));
    assertEquals(0, ChunkPlan.of(shape, -1, 1 << 20).slots());
  }
}
