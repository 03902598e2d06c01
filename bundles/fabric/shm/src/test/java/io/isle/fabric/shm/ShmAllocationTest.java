package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.RingPort;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that data calls allocate once the JVM has compiled them. */
@Timeout(300)
class ShmAllocationTest {
  private static final int RUNS = 5_000;
  private static final int ROUNDS = 40;

  private final Driver driver = new Driver();
  private int seen;
  private final RingPort.Interests interests = (descriptor, events) -> seen += descriptor;

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void dataCallsAllocateNothing() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(next);
    driver.untilUp(prev);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least >= 0.5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < RUNS; i++) {
        exchange(next, prev);
      }
      long after = threads.getCurrentThreadAllocatedBytes();
      least = Math.min(least, (double) (after - before) / RUNS);
    }
    assertTrue(least < 0.5, least + " bytes a frame");
    assertTrue(seen != 0);
  }

  /** A frame with a sleep of the reader, polls between the calls, and a call without a frame. */
  private void exchange(BankPort next, BankPort prev) {
    long now = driver.now();
    prev.interests(interests, RingPort.READABLE);
    assertEquals(0, next.claim());
    MemorySegment.copy(driver.memory(), 0, next.bank(), 0, 264);
    assertEquals(264, next.publish(264));
    next.poll(now);
    prev.poll(now);
    assertEquals(264, prev.next());
    prev.copy(0, driver.memory(), 512, 32);
    prev.copy(32, driver.memory(), 1024, 232);
    assertEquals(0, prev.take());
    assertEquals(-Errno.EAGAIN, prev.next());
  }
}
