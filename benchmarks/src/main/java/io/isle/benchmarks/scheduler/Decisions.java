package io.isle.benchmarks.scheduler;

import io.isle.core.accel.sched.SchedulingCore;
import io.isle.core.accel.sched.SchedulingPolicy;
import java.util.Random;

/**
 * A device that never rests and contexts that always have more: next, start and end of submissions
 * of 10 to 20 us, the clock moving by what each takes. The contexts lie below three levels of
 * groups, each with a ceiling of its own, which does not bind but is charged.
 */
final class Decisions {
  private static final int TIMES = 1024;
  private static final long LEAST_NS = 10_000;
  private static final int SPREAD_NS = 10_000;
  private static final long SECOND = 1_000_000_000L;
  private static final int MOST_LEAVES = 128;
  private static final int LEAVES_PER_BRANCH = 8;

  /** Of the device; ceilings of more than one period of time cannot bind. */
  private static final int UNITS = 4;

  /** Together the guarantees take so much of the device; the rest is given when nobody is due. */
  private static final long GUARANTEED_PERCENT = 90;

  private final SchedulingCore core;
  private final long[] times = times();
  private long now;

  /**
   * @param guarantees whether each context has a guarantee; else they share by weight
   */
  Decisions(int contexts, boolean guarantees) {
    int leaves = Math.min(contexts, MOST_LEAVES);
    int branches = Math.max(1, leaves / LEAVES_PER_BRANCH);
    core =
        new SchedulingCore(
            contexts, 2 + branches + leaves, 2, UNITS, SchedulingPolicy.GUARANTEED, 0);
    group(1, 0);
    for (int i = 0; i < branches; i++) {
      group(2 + i, 1);
    }
    for (int i = 0; i < leaves; i++) {
      group(2 + branches + i, 2 + i % branches);
    }
    long period = contexts <= 16 ? SECOND / 100 : contexts <= 256 ? SECOND / 10 : SECOND;
    long quota = guarantees ? period * GUARANTEED_PERCENT / 100 / contexts : 0;
    for (int c = 0; c < contexts; c++) {
      core.open(c, 2 + branches + c % leaves, 1, quota, period);
      core.ready(c);
    }
  }

  private void group(int g, int parent) {
    core.setGroup(g, parent, 0, 0, 2 * 10 * SECOND, 10 * SECOND, 100);
  }

  static long[] times() {
    Random random = new Random(1);
    return random.longs(TIMES, LEAST_NS, LEAST_NS + SPREAD_NS).toArray();
  }

  /** Returns what depends on all of it. */
  long run(int count) {
    long at = now;
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int c = core.next(at);
      core.onStart(0, c, at);
      long busy = times[i & TIMES - 1];
      at += busy;
      core.onEnd(0, busy, at);
      sum += c;
    }
    now = at;
    return sum;
  }
}
