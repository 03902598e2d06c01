package io.isle.core.drivers.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SerialLaneTest {
  /** Ends right after it was asked whether it has. */
  private static final class Ending extends ScheduledThreadPoolExecutor {
    Ending() {
      super(1);
    }

    @Override
    public boolean isShutdown() {
      boolean was = super.isShutdown();
      shutdown();
      return was;
    }
  }

  @Test
  void workThatALaneDropsAsItEndsWasNotTaken() throws Exception {
    Ending executor = new Ending();
    SerialLane lane = new SerialLane("lane", executor);
    AtomicInteger done = new AtomicInteger();
    assertFalse(lane.post(done::incrementAndGet));
    assertFalse(executor.awaitTermination(60, TimeUnit.SECONDS) && done.get() != 0);
    assertEquals(0, done.get());
  }
}
