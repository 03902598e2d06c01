package io.isle.core.accel.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Every decision of the machine against the rules written down plainly. */
class NaiveCorePropertyTest {
  private static final int CONTEXTS = 10;
  private static final int GROUPS = 7;
  private static final int DEPTH = 3;
  private static final long US = 1_000;

  @Property(tries = 300)
  void decidesAsTheRulesSay(@ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
    compare(seed, steps, true);
  }

  /** Without a journal decisions come from leases where they can. */
  @Property(tries = 300)
  void aLeaseChangesNoDecision(@ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
    compare(seed, steps, false);
  }

  /**
   * @param journal with one, there are no leases; without, every context has a guarantee: a lease
   *     of one that is alone in its queues counts what it used at its end, not submission by
   *     submission
   */
  private static void compare(long seed, int steps, boolean journal) {
    Random random = new Random(seed);
    SchedulingCore core =
        new SchedulingCore(CONTEXTS, GROUPS, DEPTH, 1, SchedulingPolicy.GUARANTEED, 0);
    NaiveCore naive = new NaiveCore();
    if (journal) {
      core.setJournal((kind, time, context, value, budget, deadline) -> {});
    }
    groups(random, core, naive);
    for (int c = 0; c < CONTEXTS; c++) {
      open(random, core, naive, c, !journal);
    }
    long now = 0;
    for (int i = 0; i < steps; i++) {
      now += random.nextInt(4) == 0 ? random.nextLong(3000 * US) : random.nextLong(100 * US);
      core.at(now);
      naive.at(now);
      step(random, core, naive, now, !journal);
      check(core, naive, now);
    }
  }

  private static void groups(Random random, SchedulingCore core, NaiveCore naive) {
    for (int g = 1; g < GROUPS; g++) {
      int parent = g < 3 ? 0 : 1 + random.nextInt(g - 1);
      // guarantees on one level only: carving has tests of its own
      long quota = g < 3 && random.nextBoolean() ? 200 * US * (1 + random.nextInt(10)) : 0;
      long max = random.nextInt(3) == 0 ? 300 * US * (1 + random.nextInt(10)) : 0;
      long period = (1 + random.nextInt(5)) * 2000 * US;
      int weight = 1 + random.nextInt(300);
      long maxPeriod = (1 + random.nextInt(5)) * 3000 * US;
      quota = Math.min(quota, period);
      // with a period and no quota it is promised nothing, also not what is above it
      period = quota == 0 && random.nextInt(3) > 0 ? 0 : period;
      max = Math.min(max, maxPeriod);
      core.setGroup(g, parent, quota, period, max, maxPeriod, weight);
      naive.setGroup(g, parent, quota, period, max, maxPeriod, weight);
    }
  }

  private static void open(
      Random random, SchedulingCore core, NaiveCore naive, int c, boolean always) {
    int group = random.nextInt(GROUPS);
    int g = group;
    while (g > 0 && naive.groups.get(g).server == null) {
      g = naive.groups.get(g).parent;
    }
    // nothing is reserved out of a group's guarantee here
    boolean own = g <= 0 && (always || random.nextInt(3) == 0);
    group = always && !own ? 0 : group;
    own |= always;
    long period = (1 + random.nextInt(10)) * 1000 * US;
    long quota = own ? 1 + period * (1 + random.nextInt(40)) / 100 : 0;
    int priority = random.nextInt(4);
    core.open(c, group, priority, quota, period);
    naive.open(c, group, priority, quota, period);
  }

  private static void step(
      Random random, SchedulingCore core, NaiveCore naive, long now, boolean always) {
    int c = random.nextInt(CONTEXTS);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        core.ready(c);
        naive.ready(c);
      }
      case 3 -> {
        core.idle(c);
        naive.idle(c);
      }
      case 4, 5, 6, 7 -> start(random, core, naive, now);
      case 8, 9, 10 -> end(random, core, naive, now);
      default -> {
        if (random.nextInt(4) == 0) {
          core.close(c);
          naive.close(c);
          open(random, core, naive, c, always);
        }
      }
    }
  }

  private static void start(Random random, SchedulingCore core, NaiveCore naive, long now) {
    for (int slot = 0; slot < DEPTH; slot++) {
      if (!naive.flights.containsKey(slot)) {
        int c = core.next(now);
        assertEquals(naive.next(), c, "at " + now);
        if (c != SchedulingCore.NONE) {
          long advance = Advances.any(random);
          core.onStart(slot, c, now, advance);
          naive.start(slot, c, advance);
        }
        return;
      }
    }
  }

  private static void end(Random random, SchedulingCore core, NaiveCore naive, long now) {
    int slot = random.nextInt(DEPTH);
    if (naive.flights.containsKey(slot)) {
      if (random.nextInt(6) == 0) {
        core.onAbandon(slot);
        naive.abandon(slot);
      } else {
        long busy = random.nextLong(400 * US);
        core.onEnd(slot, busy, now);
        naive.end(slot, busy);
      }
    }
  }

  private static void check(SchedulingCore core, NaiveCore naive, long now) {
    naive.contexts.forEach(
        (n, c) -> {
          NaiveCore.Server server = naive.serverOf(c);
          if (server != null && c.ready) {
            int ignored = core.next(now);
            // a deep debt is paid in one go when it is over
            long budget = core.readings().budgetNs(n);
            long deadline = core.readings().deadline(n);
            while (budget <= 0 && deadline <= now) {
              budget += server.quota;
              deadline += server.period;
            }
            String where =
                " of " + n + ", due " + deadline + " and " + server.deadline + " at " + now;
            assertEquals(server.budget, budget, "budget" + where);
            assertEquals(server.deadline, deadline, "deadline" + where);
          }
          assertEquals(c.estimate, core.readings().estimateNs(n), "estimate of " + n);
        });
    assertEquals(naive.next(), core.next(now), "at " + now);
  }
}
