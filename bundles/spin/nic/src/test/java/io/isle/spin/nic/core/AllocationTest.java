package io.isle.spin.nic.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final int PACKETS = 20_000;
  private static final long PATIENCE_NS = 60_000_000_000L;

  /** Keeps the tags of running tasks. */
  private static final class Tags implements NicOutput {
    final long[] tags = new long[16];
    int count;
    long stored;

    @Override
    public void store(int context, int slot, MemorySegment memory, long offset, int length) {
      stored += length;
    }

    @Override
    public void dispatch(NicTask task) {
      tags[count++] = task.tag();
    }

    @Override
    public void aborted(int context, int message, AbortReason reason) {
      throw new IllegalStateException("no message lacks packets");
    }
  }

  @Test
  void packetsAndTasksAllocateNothing() {
    Tags tags = new Tags();
    NicCore core = new NicCore(NicLimits.FPSPIN, 4, Long.MAX_VALUE, tags);
    core.attach(0, Harness.plan(0, "a", "{10, 0xff000000, 0x01000000, 0x01000000}", "hpt"));
    core.attach(1, Harness.plan(1, "b", "FALSE", "p"));
    MemorySegment[] packets = new MemorySegment[8];
    for (int i = 0; i < packets.length; i++) {
      packets[i] = MemorySegment.ofArray(Harness.bytes(i & 1, i % 3, i > 3, 60));
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long me = Thread.currentThread().threadId();
    double least = Double.MAX_VALUE;
    long now = 0;
    long end = System.nanoTime() + PATIENCE_NS;
    while (least >= 0.5 && System.nanoTime() - end < 0) {
      long before = threads.getThreadAllocatedBytes(me);
      for (int i = 0; i < PACKETS; i++) {
        int ignored = core.arrive(packets[i & 7], 0, 60, ++now);
        ignored = core.dispatch(++now);
        while (tags.count > 0) {
          ignored = core.complete(tags.tags[--tags.count], false, ++now);
        }
        ignored = core.expire(now);
      }
      least = (threads.getThreadAllocatedBytes(me) - before) / (double) PACKETS;
    }
    assertTrue(least < 0.5, least + " bytes a packet");
    assertEquals(core.counters(0).bytes() + core.counters(1).bytes(), tags.stored);
    assertTrue(core.counters(0).messages() > 0);
  }
}
