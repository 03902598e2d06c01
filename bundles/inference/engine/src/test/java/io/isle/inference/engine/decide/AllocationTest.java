package io.isle.inference.engine.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionOutput.Outside;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final int CALLS = 20_000;
  private static final long PATIENCE_NS = 60_000_000_000L;

  @Test
  void neitherDecisionsNorOutcomesNorReadingAllocate() {
    TestPoint point = new TestPoint(Outside.CLAMP);
    DecisionSlot slot = new DecisionSlot(point, new SlotGates(), MonotonicClock.SYSTEM);
    slot.set(slot.state().with(TestModels.of(slot.spec(), TestModels.constant(1)), null, null));
    SlotDecider decider = (SlotDecider) slot.open("team-a", 8, () -> {});
    DecisionRecord record = new DecisionRecord(2, 1);
    int[] features = {1, 2};
    int[] out = new int[1];
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long me = Thread.currentThread().threadId();
    long read = 0;
    long calls = 0;
    double least = Double.MAX_VALUE;
    // the optimising compiler may wait for a processor
    long end = System.nanoTime() + PATIENCE_NS;
    while (least >= 0.5 && System.nanoTime() - end < 0) {
      long before = threads.getThreadAllocatedBytes(me);
      for (int i = 0; i < CALLS; i++) {
        features[0] = i % 200 - 100;
        decider.outcome(decider.decide(features, out), out);
        read += decider.read(record) ? 1 : 0;
      }
      least = (threads.getThreadAllocatedBytes(me) - before) / (double) CALLS;
      calls += CALLS;
    }
    assertTrue(least < 0.5, least + " bytes a decision");
    assertEquals(calls, read);
  }
}
