package io.isle.apps.jobs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;
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
      @ForAll @LongRange(min = 0, max = 1L << 40) long budget,
      @ForAll @LongRange(min = 1, max = 4096) long group) {
    Lane out = Lane.out(record, sum);
    Layout layout = new Layout(List.of(Lane.in(unit), out), true);
    ChunkPlan plan =
        ChunkPlan.of(
            layout, JobSpec.Pace.FREE, size < 0 ? -1 : Math.ceilDiv(size, unit), budget, group);
    if (plan.slots() > 0) {
      long bytes = plan.units() * unit;
      assertTrue(plan.units() >= 1);
      boolean all = size >= 0 && plan.units() >= Math.ceilDiv(size, unit);
      assertTrue(all || plan.units() < group || plan.units() % group == 0, plan.toString());
      assertTrue(bytes <= Math.max(unit, ChunkPlan.TARGET));
      long slot = bytes + out.resultBytes(plan.units());
      assertTrue(plan.slots() * slot <= budget, plan.toString());
    }
  }

  @Test
  void aBigFileGoesInThreePiecesOfEightMebibytes() {
    Layout layout = new Layout(List.of(Lane.in(1 << 20), Lane.out(32)), true);
    assertEquals(
        new ChunkPlan(3, 8), ChunkPlan.of(layout, JobSpec.Pace.FREE, 3 << 10, 64 << 20, 1));
    assertEquals(new ChunkPlan(3, 8), ChunkPlan.of(layout, JobSpec.Pace.FREE, -1, 64 << 20, 1));
    assertEquals(new ChunkPlan(3, 2), ChunkPlan.of(layout, JobSpec.Pace.FREE, 2, 64 << 20, 1));
    assertEquals(0, ChunkPlan.of(layout, JobSpec.Pace.FREE, -1, 1 << 20, 1).slots());
  }

  @Test
  void piecesOfSeveralBuffersCountThemAll() {
    Layout layout = new Layout(List.of(Lane.in(4), Lane.in(4), Lane.inPlace(8)), false);
    ChunkPlan plan = ChunkPlan.of(layout, JobSpec.Pace.FREE, 1L << 40, 1 << 20, 1);
    assertEquals(3, plan.slots());
    assertTrue(plan.units() * 16 * 3 <= 1 << 20, plan.toString());
    assertTrue(plan.units() * 16 * 3 > (1 << 20) - 3 * (3 * 4096 + 16), plan.toString());
  }
}
