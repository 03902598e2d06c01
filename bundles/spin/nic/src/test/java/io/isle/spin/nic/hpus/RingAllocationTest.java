package io.isle.spin.nic.hpus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class RingAllocationTest {
  private static final int TASKS = 20_000;
  private static final long PATIENCE_NS = 60_000_000_000L;

  private static final class Count implements HpuListener {
    long bytes;
    int ended;

    @Override
    public boolean sent(int hpu, MemorySegment memory, long offset, int length) {
      bytes += length;
      return true;
    }

    @Override
    public void ended(int hpu, TaskEnding end) {
      ended++;
    }

    @Override
    public void waits(int hpu, boolean waits) {}

    @Override
    public void requested(int hpu, int length) {}
  }

  @Test
  void tasksAndFramesAllocateNothing() {
    JavaHpus hpus = JavaHpus.of(SpinStructs.HPUS);
    SpinRings nic = hpus.nic();
    Count count = new Count();
    byte[] packet = new byte[60];
    MemorySegment memory = MemorySegment.ofArray(packet);
    hpus.set(3, RingLayout.SLEEPING, 1);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long me = Thread.currentThread().threadId();
    double least = Double.MAX_VALUE;
    long end = System.nanoTime() + PATIENCE_NS;
    while (least >= 0.5 && System.nanoTime() - end < 0) {
      long nics = 0;
      for (int i = 0; i < TASKS; i++) {
        long before = threads.getThreadAllocatedBytes(me);
        nic.store(0, memory, 0, packet.length);
        int ignored = nic.post(3, HandlerKind.PACKET, 0, 0, 0, packet.length);
        long between = threads.getThreadAllocatedBytes(me);
        hpus.send(3, packet);
        hpus.end(3, SpinStructs.RESULT_DONE, 0);
        long again = threads.getThreadAllocatedBytes(me);
        ignored = nic.poll(count);
        nics += between - before + threads.getThreadAllocatedBytes(me) - again;
      }
      least = nics / (double) TASKS;
    }
    assertTrue(least < 0.5, least + " bytes a task");
    assertTrue(count.bytes == 60L * count.ended && count.ended >= TASKS);
  }
}
