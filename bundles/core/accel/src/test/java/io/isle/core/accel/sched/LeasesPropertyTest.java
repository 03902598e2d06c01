package io.isle.core.accel.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Few contexts, with leases and, as with a journal, without: all the same. */
class LeasesPropertyTest {
  private static final int CONTEXTS = 3;
  private static final int DEPTH = 3;
  private static final long US = 1_000;

  private static final class Pair {
    final Random random;
    final SchedulingCore lent;
    final SchedulingCore plain;
    final boolean[] taken = new boolean[DEPTH];
    long now;

    Pair(long seed, SchedulingPolicy policy) {
      random = new Random(seed);
      lent = new SchedulingCore(CONTEXTS, 2, DEPTH, 1, policy, 0);
      plain = new SchedulingCore(CONTEXTS, 2, DEPTH, 1, policy, 0);
      plain.setJournal((kind, time, context, value, budget, deadline) -> {});
      boolean guaranteed = policy == SchedulingPolicy.GUARANTEED;
      long max = random.nextBoolean() ? 500 * US * (1 + random.nextInt(10)) : 0;
      long quota = guaranteed && random.nextBoolean() ? 500 * US * (1 + random.nextInt(8)) : 0;
      for (SchedulingCore core : new SchedulingCore[] {lent, plain}) {
        core.setGroup(1, 0, quota, quota == 0 ? 0 : 10_000 * US, max, 10_000 * US, 100);
      }
      for (int c = 0; c < CONTEXTS; c++) {
        int group = quota == 0 ? random.nextInt(2) : c & 1;
        // a lease counts at its end what was used, so among equals by weight the last bit may
        // differ
        int priority = guaranteed ? c : random.nextInt(4);
        long own = guaranteed && group == 0 && random.nextBoolean() ? 1000 * US : 0;
        lent.open(c, group, priority, own, own == 0 ? 0 : 5_000 * US);
        plain.open(c, group, priority, own, own == 0 ? 0 : 5_000 * US);
      }
    }

    void step() {
      now += random.nextInt(20) == 0 ? random.nextLong(9000 * US) : random.nextLong(100 * US);
      lent.at(now);
      plain.at(now);
      // mostly one comes and goes
      int c = random.nextInt(10) == 0 ? random.nextInt(CONTEXTS) : 0;
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> {
          lent.ready(c);
          plain.ready(c);
        }
        case 3, 4 -> {
          lent.idle(c);
          plain.idle(c);
        }
        case 5 -> {
          if (random.nextInt(10) == 0) {
            lent.pause(c);
            plain.pause(c);
          }
        }
        case 6, 7, 8, 9, 10, 11 -> start();
        default -> end(random.nextInt(DEPTH));
      }
      assertEquals(plain.next(now), lent.next(now), "at " + now);
      assertEquals(plain.nextTimer(), lent.nextTimer(), "at " + now);
    }

    private void start() {
      int c = plain.next(now);
      assertEquals(c, lent.next(now), "at " + now);
      for (int slot = 0; slot < DEPTH && c >= 0; slot++) {
        if (!taken[slot]) {
          taken[slot] = true;
          long advance = Advances.any(random);
          plain.onStart(slot, c, now, advance);
          lent.onStart(slot, c, now, advance);
          return;
        }
      }
    }

    private void end(int slot) {
      if (taken[slot]) {
        taken[slot] = false;
        long busy = random.nextLong(400 * US);
        plain.onEnd(slot, busy, now);
        lent.onEnd(slot, busy, now);
      }
    }

    void sameFigures() {
      for (int c = 0; c < CONTEXTS; c++) {
        assertEquals(plain.readings().givenNs(c), lent.readings().givenNs(c));
        assertEquals(plain.readings().waitedNs(c), lent.readings().waitedNs(c));
        assertEquals(plain.readings().started(c), lent.readings().started(c));
        assertEquals(plain.readings().estimateNs(c), lent.readings().estimateNs(c));
        assertEquals(plain.readings().throttledNs(c), lent.readings().throttledNs(c));
        assertEquals(plain.readings().budgetNs(c), lent.readings().budgetNs(c));
        assertEquals(plain.readings().deadline(c), lent.readings().deadline(c));
      }
    }
  }

  @Property(tries = 300)
  void aLeaseChangesNoDecision(
      @ForAll long seed,
      @ForAll SchedulingPolicy policy,
      @ForAll @IntRange(min = 1, max = 1500) int steps) {
    Pair pair = new Pair(seed, policy);
    for (int i = 0; i < steps; i++) {
      pair.step();
    }
    pair.sameFigures();
  }
}
