package io.isle.core.accel.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.base.Errno;
import java.lang.management.ManagementFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CompletionLogTest {
  private static final int DEPTH = 2;

  private final CompletionLog log = new CompletionLog(DEPTH);

  @Test
  void stretchesOfAPreemptedSubmissionAreSummed() {
    log.addBusy(1, 100, 110, 8);
    assertNull(log.outcome(1), "it has not ended");
    assertEquals(8, log.busyNs(), "the device was used, though");
    assertEquals(0, log.completed());
    log.addBusy(1, 200, 230, 25);
    log.record(1, 0, CompletionStatus.SUCCESS, 300, 307, 6, 0);
    assertEquals(100, log.startNs(1));
    assertEquals(307, log.endNs(1));
    assertEquals(8 + 25 + 6, log.busyNs(1));
    assertEquals(8 + 25 + 6, log.busyNs());
    assertEquals(1, log.completed());
    assertEquals(CompletionStatus.SUCCESS, log.outcome(1));
  }

  @Test
  void stretchesOfOnePointAreNotTakenForThoseOfTheNextInItsPlace() {
    log.addBusy(1, 100, 110, 8);
    long sameSlot = 1L + log.capacity();
    log.record(sameSlot, 0, CompletionStatus.SUCCESS, 500, 510, 3, 0);
    assertEquals(500, log.startNs(sameSlot));
    assertEquals(3, log.busyNs(sameSlot));
    log.record(sameSlot + log.capacity(), -Errno.EIO, CompletionStatus.ERROR, 600, 610, 4, 7);
    assertEquals(600, log.startNs(sameSlot + log.capacity()));
    assertEquals(1, log.failed());
  }

  @Test
  void aSubmissionThatTheCoreEndsAfterAStretchKeepsItsTimes() {
    log.addBusy(1, 100, 110, 8);
    log.record(1, -Errno.EINTR, CompletionStatus.ERROR, 0, 0, 0, 0);
    assertEquals(100, log.startNs(1));
    assertEquals(110, log.endNs(1));
    assertEquals(8, log.busyNs(1));
  }

  @Test
  void stretchesThatLedToNothingAreForgotten() {
    log.addBusy(1, 100, 110, 8);
    log.forgetBusy(1);
    log.record(1, 0, CompletionStatus.SUCCESS, 300, 307, 6, 0);
    assertEquals(300, log.startNs(1));
    assertEquals(6, log.busyNs(1));
    assertEquals(8 + 6, log.busyNs(), "the device was used, though");
    log.forgetBusy(1);
    assertEquals(CompletionStatus.SUCCESS, log.outcome(1), "what has ended stays");
  }

  @Property(tries = 200)
  void whatIsRecordedIsRead(
      @ForAll @IntRange(min = -4098, max = 0) int code,
      @ForAll @IntRange(min = 0, max = 4) int outcome,
      @ForAll int detail) {
    CompletionLog fresh = new CompletionLog(DEPTH);
    fresh.record(1, code, CompletionStatus.of(outcome), 1, 2, 3, detail);
    assertEquals(code, fresh.code(1));
    assertEquals(outcome, fresh.outcome(1).code());
    assertEquals(detail, fresh.detail(1));
  }

  @Test
  void nothingIsAllocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    long point = 0;
    long sum = 0;
    for (int round = 0; round < 10; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 10_000; i++) {
        point++;
        log.addBusy(point, point, point + 1, 1);
        log.addBusy(point, point + 2, point + 3, 1);
        log.record(point, 0, CompletionStatus.SUCCESS, point + 4, point + 5, 1, 0);
        sum += log.code(point) + log.outcome(point).code() + log.busyNs(point);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(3 * point, sum);
    assertTrue(least < 1_000, least + " bytes for 10000 completions");
  }
}
