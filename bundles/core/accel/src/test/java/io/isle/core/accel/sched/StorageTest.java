package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class StorageTest {
  private static final int ROUNDS = 20_000;
  private final SchedulingCore core = new SchedulingCore(64, 8, 4, 1, SchedulingPolicy.PRIORITY, 0);
  private long now;

  /** Not even what changes settings allocates. */
  @Test
  void nothingIsAllocatedAfterTheConstructor() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int g = 1; g < 8; g++) {
      core.setGroup(g, g / 2, g % 2 * MS, 20 * MS, 10 * MS, 20 * MS, 10 * g);
    }
    for (int c = 0; c < 64; c++) {
      core.open(c, c % 8, c % 4, c % 5 == 0 ? MS / 10 : 0, 10 * MS);
    }
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      work();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(least < ROUNDS / 10, least + " bytes");
  }

  private void work() {
    for (int i = 0; i < ROUNDS; i++) {
      int c = i * 7 % 64;
      now += 10_000;
      core.at(now);
      if (i % 3 == 0) {
        core.ready(c);
      } else if (i % 11 == 0) {
        core.idle(c);
      }
      int slot = i % 4;
      core.onEnd(slot, 5_000 + c * 300L, now);
      int next = core.next(now);
      if (next != SchedulingCore.NONE) {
        core.onStart(slot, next, now);
      }
      int ignored = core.preemption().advise(now);
      if (i % 500 == 0) {
        core.setPolicy(i % 1000 == 0 ? SchedulingPolicy.GUARANTEED : SchedulingPolicy.PRIORITY);
        core.setContext(c, i % 8, 1, MS / 10, 10 * MS);
        core.setGroup(3, 1, MS, 20 * MS, 5 * MS, 20 * MS, 1 + i % 100);
        core.close(c);
        core.open(c, 7, 2, 0, 0);
      }
    }
  }
}
