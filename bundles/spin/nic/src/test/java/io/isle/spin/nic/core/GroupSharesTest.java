package io.isle.spin.nic.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.spin.nic.plan.NicLimits;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupSharesTest {
  private static final NicLimits LIMITS = new NicLimits(2, 8, 128, 16);

  /** Packets for all contexts that have room, tasks of any length; ends after some tasks. */
  private static final class Flood {
    private final Harness nic;
    private final Random random;
    private final int[] longest;
    private final long[] ends = new long[LIMITS.clusters() * LIMITS.hpus()];

    Flood(int parallel, long seed, int... longest) {
      nic = new Harness(LIMITS, parallel, 1_000_000);
      random = new Random(seed);
      this.longest = longest;
    }

    void run(int tasks, boolean... sending) {
      for (int i = 0; i < tasks; i++) {
        for (int slot = 0; slot < sending.length; slot++) {
          while (sending[slot] && nic.core.usedSlots(slot) < 30) {
            int ignored = nic.arrive(slot, random.nextInt(64), random.nextInt(4) == 0, 0);
          }
        }
        int before = nic.running.size();
        nic.core.dispatch(nic.now);
        for (Harness.Running task : nic.running.subList(before, nic.running.size())) {
          ends[(int) task.tag() & 0xFF] = nic.now + 1 + random.nextInt(longest[task.context()]);
        }
        int first = 0;
        for (int j = 1; j < nic.running.size(); j++) {
          first = end(j) < end(first) ? j : first;
        }
        nic.now = Math.max(nic.now, end(first));
        nic.complete(first, random.nextInt(16) == 0);
      }
    }

    private long end(int index) {
      return ends[(int) nic.running.get(index).tag() & 0xFF];
    }

    double hpuNs(int slot) {
      return nic.core.counters(slot).hpuNs();
    }
  }

  @Property(tries = 20)
  void groupsHaveTimeByTheirWeights(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3) int parallel,
      @ForAll @IntRange(min = 50, max = 300) int weight) {
    Flood flood = new Flood(parallel, seed, 1000, 300);
    flood.nic.attach(0, "a", "p");
    flood.nic.attach(1, "b", "p");
    flood.nic.core.weight("a", weight, 0);
    flood.run(4000, true, true);
    double share = flood.hpuNs(0) / (flood.hpuNs(0) + flood.hpuNs(1));
    assertEquals(weight / (weight + 100.0), share, 0.02);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hpt", "p"})
  void aGroupWithOneQueueKeepsItsShare(String handlers) {
    Flood flood = new Flood(1, 7, 1000, 1000);
    flood.nic.attach(0, "a", handlers);
    flood.nic.attach(1, "b", "p");
    flood.nic.core.weight("a", 300, 0);
    for (int i = 0; i < 4000; i++) {
      // a message behind another in one queue: the group has never more than one task, and never
      // none
      while (flood.nic.core.usedSlots(0) < 2) {
        int ignored = flood.nic.arrive(0, 5, true, 0);
      }
      flood.run(1, false, true);
    }
    double share = flood.hpuNs(0) / (flood.hpuNs(0) + flood.hpuNs(1));
    assertEquals(0.75, share, 0.02);
  }

  @Test
  void aGroupThatWasIdleSavesNothing() {
    Flood flood = new Flood(2, 1, 100, 100);
    flood.nic.attach(0, "a", "p");
    flood.nic.attach(1, "b", "p");
    flood.run(3000, true, false);
    double before = flood.hpuNs(0);
    flood.run(3000, true, true);
    double share = (flood.hpuNs(0) - before) / (flood.hpuNs(0) - before + flood.hpuNs(1));
    assertEquals(0.5, share, 0.02);
  }

  @Test
  void contextsOfAGroupHaveOneShare() {
    Flood flood = new Flood(1, 2, 100, 100, 100);
    flood.nic.attach(0, "a", "p");
    flood.nic.attach(1, "a", "p");
    flood.nic.attach(2, "b", "p");
    flood.run(6000, true, true, true);
    double all = flood.hpuNs(0) + flood.hpuNs(1) + flood.hpuNs(2);
    assertEquals(0.5, flood.hpuNs(2) / all, 0.02);
  }

  @Test
  void anotherWeightHoldsFromThenOn() {
    Flood flood = new Flood(1, 3, 100, 100);
    flood.nic.attach(0, "a", "p");
    flood.nic.attach(1, "b", "p");
    flood.run(2000, true, true);
    double first = flood.hpuNs(0);
    double second = flood.hpuNs(1);
    flood.nic.core.weight("a", 300, flood.nic.now);
    flood.run(4000, true, true);
    double share = (flood.hpuNs(0) - first) / (flood.hpuNs(0) - first + flood.hpuNs(1) - second);
    assertEquals(0.75, share, 0.02);
  }
}
