package io.isle.core.accel.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WaitTimesTest {
  private final WaitTimes waits = new WaitTimes(4);
  private long point;

  private void waited(long ns) {
    waits.queued(++point, 7);
    waits.started(point, 7 + ns);
  }

  @Test
  void percentilesAreRightToTwoDigits() {
    assertEquals(new WaitTimes.Waits(0, 0), waits.waits());
    for (int i = 1; i <= 1000; i++) {
      waited(i * 10_000L);
    }
    WaitTimes.Waits read = waits.waits();
    assertEquals(5_000_000, read.p50Ns(), 50_000);
    assertEquals(9_900_000, read.p99Ns(), 99_000);
  }

  @Test
  void whatIsOutOfRangeCountsAsTheNearest() {
    waited(-5);
    waited(Long.MIN_VALUE);
    waited(Long.MAX_VALUE - 7);
    Histogram sum = WaitTimes.histogram();
    waits.addTo(sum);
    waits.addTo(sum);
    assertEquals(6, sum.getTotalCount());
    assertEquals(3.6e12, waits.waits().p99Ns(), 3.6e10);
  }

  @Test
  void recordingAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 20_000; i++) {
      waited(i * 31L);
    }
    long least = Long.MAX_VALUE;
    // the platform may allocate on this thread at any time; what recording does it does each time
    for (int sample = 0; sample < 20; sample++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        waited(i * 17L);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(0, least);
  }
}
