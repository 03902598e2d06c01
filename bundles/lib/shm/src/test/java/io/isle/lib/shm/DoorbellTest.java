package io.isle.lib.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DoorbellTest {
  @Test
  void aRingBeforeTheSleepIsNotLost() {
    Doorbell bell = new Doorbell(Arena.ofAuto().allocate(8, 4), Arena.ofAuto());
    int ticket = bell.ticket();
    bell.ring();
    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> bell.await(ticket, 600_000_000_000L));
  }

  @Test
  void everyHandOverArrives() throws InterruptedException {
    Doorbell bell = new Doorbell(Arena.ofAuto().allocate(8, 4), Arena.ofAuto());
    AtomicLong produced = new AtomicLong();
    long goal = 20_000;
    Thread producer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long i = 0; i < goal; i++) {
                    produced.incrementAndGet();
                    bell.ring();
                  }
                });
    while (produced.get() < goal) {
      int ticket = bell.ticket();
      if (produced.get() < goal) {
        bell.await(ticket, 60_000_000_000L);
      }
    }
    producer.join();
    assertEquals(goal, produced.get());
  }
}
