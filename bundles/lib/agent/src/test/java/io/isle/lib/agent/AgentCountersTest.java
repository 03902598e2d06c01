package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AgentCountersTest {
  private final AgentCounters counters = new AgentCounters(100);

  @Test
  void eachNanosecondIsCountedOnce() {
    counters.enter(AgentCounters.WORKS, 130);
    counters.enter(AgentCounters.IDLE, 170);
    counters.enter(AgentCounters.SLEEPS, 175);
    counters.slept();
    counters.enter(AgentCounters.IDLE, 1175);
    counters.enter(AgentCounters.WAITS, 1180);
    counters.enter(AgentCounters.WORKS, 1200);
    counters.worked();
    counters.worked();
    counters.idled();
    assertEquals(new AgentCounters.Reading("works", 2, 1, 1, 40, 40, 1000), counters.read(1200));
    assertEquals(
        new AgentCounters.Reading("works", 2, 1, 1, 540, 40, 1000),
        counters.read(1700),
        "what goes on counts so far");
  }

  /** As of an agent whose look at the clock is older than the host's. */
  @Test
  void timeDoesNotGoBack() {
    counters.enter(AgentCounters.WORKS, 200);
    counters.enter(AgentCounters.IDLE, 150);
    counters.enter(AgentCounters.WORKS, 210);
    assertEquals(new AgentCounters.Reading("works", 0, 0, 0, 0, 110, 0), counters.read(190));
  }

  /** Whoever reads sees a moment, however fast the agent goes on. */
  @Test
  void aReadingIsOfOneMoment() throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<String> wrong = new AtomicReference<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get() && wrong.get() == null) {
                    AgentCounters.Reading now = counters.read(0);
                    long ahead = now.workNs() - now.idleNs();
                    // 3 ns of each turn are work, then 3 idle; 2 more were idle at first
                    if (ahead != (now.state().equals("idle") ? -2 + 3 : -2) && now.workNs() > 0) {
                      wrong.set(now.toString());
                    }
                  }
                });
    counters.enter(AgentCounters.WORKS, 102);
    long now = 102;
    for (int i = 0; i < 2_000_000; i++) {
      now += 3;
      counters.enter(AgentCounters.IDLE, now);
      now += 3;
      counters.enter(AgentCounters.WORKS, now);
    }
    over.set(true);
    reader.join();
    assertNull(wrong.get());
  }

  @Test
  void countingAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 10_000; i++) {
        counters.worked();
        counters.idled();
        counters.slept();
        counters.enter(i & 3, i);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(least < 1_000, least + " bytes in 10,000 cycles");
  }
}
