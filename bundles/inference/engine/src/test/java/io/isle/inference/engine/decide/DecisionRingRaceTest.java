package io.isle.inference.engine.decide;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three threads on one ring. */
@Tag("alone")
class DecisionRingRaceTest {
  private static final int LEAST = 300_000;
  private static final int MOST = Integer.MAX_VALUE / 3;

  private final DecisionRecord record = new DecisionRecord(2, 1);

  private static long write(DecisionRing ring, int n) {
    return ring.write(new int[] {n, 2 * n}, new int[] {3 * n}, n % 2 == 0);
  }

  /** Each record that is read is one that was written, and whole. Ends after enough of them. */
  @Test
  void racingThreadsNeverSeeHalfARecord() throws InterruptedException {
    DecisionRing ring = new DecisionRing(8, 2, 1);
    AtomicLong newest = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int n = 1; n <= MOST && (n <= LEAST || !enough.get()); n++) {
                    newest.set(write(ring, n));
                  }
                });
    Thread teller =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long last = 0; writer.isAlive(); last = newest.get()) {
                    for (long ticket = Math.max(1, last - 8); ticket <= last; ticket++) {
                      ring.tell(ticket, new int[] {(int) ticket});
                    }
                  }
                });
    long read = 0;
    while (writer.isAlive() || teller.isAlive()) {
      while (ring.read(record)) {
        enough.set(++read >= 1000);
        int n = record.actual[0];
        assertArrayEquals(new int[] {n, 2 * n}, record.features);
        assertArrayEquals(new int[] {3 * n}, record.answer);
        assertEquals(n % 2 == 0, record.byModel);
      }
    }
    writer.join();
    teller.join();
    assertTrue(enough.get(), () -> "the reader saw too few records");
  }
}
