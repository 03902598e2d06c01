package io.isle.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.net.Names;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that data calls allocate once the JVM has compiled them. */
@Timeout(300)
class TcpAllocationTest {
  private static final int RUNS = 5_000;
  private static final int ROUNDS = 40;

  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void dataCallsAllocateNothing() {
    driver.transport = new TcpTransport(Names.SYSTEM, KernelVitals::new);
    StreamPort prev = driver.listen("127.0.0.1");
    StreamPort next = driver.open(Driver.spec(RingSide.NEXT, "127.0.0.1:" + Driver.number(prev)));
    driver.untilUp(next);
    assertEquals(1, driver.write(next, "a", false));
    driver.untilUp(prev);
    assertEquals("a", driver.read(prev, 1));
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
    assertTrue(least < 0.5, least + " bytes a packet");
  }

  /** A header and its data, polls between the calls, and a call without bytes. */
  private void exchange(StreamPort next, StreamPort prev) {
    long now = driver.now();
    assertEquals(8, next.write(driver.memory(), 0, 8, true));
    assertEquals(256, next.write(driver.memory(), 8, 256, false));
    next.poll(now);
    prev.poll(now);
    long read = 0;
    while (read < 264) {
      read += Math.max(0, prev.read(driver.memory(), 512 + read, 264 - read));
    }
    assertEquals(-Errno.EAGAIN, prev.read(driver.memory(), 512, 264));
  }
}
