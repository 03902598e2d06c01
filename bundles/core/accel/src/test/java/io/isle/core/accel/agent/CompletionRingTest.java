package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.queue.Bell;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CompletionRingTest {
  private static final int CAPACITY = 16;

  private final CompletionRing ring =
      new CompletionRing(
          CAPACITY, new Bell(new AgentBells(Arena.ofAuto().allocate(64, 64), Arena.ofAuto())));

  @Test
  void onlyArmedTagsAreAcceptedAndOnlyOnce() {
    long tag = (7L << 32) | 3;
    assertEquals(-Errno.ESTALE, ring.complete(tag, 0, 0, 0, 0, 0));
    assertEquals(-Errno.ESTALE, ring.complete(0, 0, 0, 0, 0, 0));
    assertEquals(-Errno.ESTALE, ring.complete(-1, 0, 0, 0, 0, 0));
    assertEquals(-Errno.ESTALE, ring.complete((7L << 32) | CAPACITY, 0, 0, 0, 0, 0));
    ring.arm(3, tag);
    assertEquals(-Errno.EINVAL, ring.complete(tag, 5, 0, 0, 0, 0));
    assertEquals(-Errno.EINVAL, ring.complete(tag, -1, 0, 0, 0, 0));
    assertEquals(-Errno.ESTALE, ring.complete((8L << 32) | 3, 0, 0, 0, 0, 0));
    assertEquals(-1, ring.take());
    assertEquals(0, ring.complete(tag, CompletionSink.PARTIAL_ERROR, 1, 2, 3, -4));
    assertEquals(-Errno.ESTALE, ring.complete(tag, 0, 0, 0, 0, 0));
    assertEquals(3, ring.take());
    assertEquals(CompletionSink.PARTIAL_ERROR, ring.status(3));
    assertEquals(1, ring.startNs(3));
    assertEquals(2, ring.endNs(3));
    assertEquals(3, ring.busyNs(3));
    assertEquals(-4, ring.detail(3));
    assertEquals(-1, ring.take());
  }

  @Test
  void threadsThatRaceForTheSameTagsLoseAndDoubleNothing() throws InterruptedException {
    int goal = 200_000;
    AtomicLongArray current = new AtomicLongArray(CAPACITY);
    AtomicLong accepted = new AtomicLong();
    List<Thread> producers = new ArrayList<>();
    Runnable race =
        () -> {
          SplittableRandom random = new SplittableRandom(Thread.currentThread().threadId());
          while (current.get(0) >= 0) {
            int index = random.nextInt(CAPACITY);
            long tag = current.get(index);
            if (tag > 0 && ring.complete(tag, 0, tag, tag, tag, (int) (tag >>> 32)) == 0) {
              accepted.incrementAndGet();
            } else if (random.nextInt(CAPACITY) == 0) {
              // on one processor the taker must have its turn
              Thread.yield();
            }
          }
        };
    for (int i = 0; i < 3; i++) {
      producers.add(Thread.ofPlatform().start(race));
    }
    for (int i = 0; i < CAPACITY; i++) {
      arm(current, i, 1);
    }
    long taken = 0;
    while (taken < goal) {
      int index = ring.take();
      if (index < 0) {
        Thread.yield();
        continue;
      }
      taken++;
      long tag = current.get(index);
      assertEquals(tag, ring.startNs(index));
      assertEquals(tag, ring.endNs(index));
      assertEquals(tag, ring.busyNs(index));
      assertEquals((int) (tag >>> 32), ring.detail(index));
      arm(current, index, (int) (tag >>> 32) + 1);
    }
    current.set(0, -1);
    for (Thread producer : producers) {
      producer.join();
    }
    while (ring.take() >= 0) {
      taken++;
    }
    assertEquals(accepted.get(), taken);
    assertTrue(taken >= goal);
  }

  private void arm(AtomicLongArray current, int index, int generation) {
    long tag = ((long) generation << 32) | index;
    ring.arm(index, tag);
    current.set(index, tag);
  }
}
