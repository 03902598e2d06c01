package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WaitTimesTest {
  private final WaitTimes waits = new WaitTimes();

  @Test
  void percentilesAreRightToTwoDigits() {
    assertEquals(new WaitTimes.Waits(0, 0), waits.waits());
    for (int i = 1; i <= 1000; i++) {
      waits.record(i * 10_000L);
    }
    WaitTimes.Waits read = waits.waits();
    assertEquals(5_000_000, read.p50Ns(), 50_000);
    assertEquals(9_900_000, read.p99Ns(), 99_000);
  }

  @Test
  void whatIsOutOfRangeCountsAsTheNearest() {
    waits.record(-5);
    waits.record(Long.MIN_VALUE);
    waits.record(Long.MAX_VALUE);
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
      waits.record(i * 31L);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    long cost = threads.getCurrentThreadAllocatedBytes() - before;
    before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100_000; i++) {
      waits.record(i * 17L);
    }
    assertEquals(cost, threads.getCurrentThreadAllocatedBytes() - before);
  }
}
