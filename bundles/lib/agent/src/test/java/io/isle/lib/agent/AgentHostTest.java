package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.MonotonicClock;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AgentHostTest {
  private final AgentBells bell = new AgentBells(Arena.ofAuto().allocate(4096, 64), Arena.ofAuto());

  private static ThreadedAgentHost host(int spinners) {
    return new ThreadedAgentHost(spinners, MonotonicClock.SYSTEM);
  }

  @Test
  void aSleepingAgentIsWokenByItsBellAndStops() throws InterruptedException {
    Counter agent = new Counter();
    try (ThreadedAgentHost host = host(1)) {
      host.start(agent, bell);
      for (int i = 1; i <= 1000; i++) {
        agent.given.incrementAndGet();
        bell.ring();
        if (i % 100 == 0) {
          int rung = i;
          until(() -> agent.done.get() >= rung);
        }
      }
    }
    assertEquals(1000, agent.done.get());
    assertTrue(agent.stopped.await(0, TimeUnit.SECONDS));
    assertFalse(agent.thread.get().isAlive(), "the thread has ended when close returns");
  }

  @Test
  void oneOfManyStopsAlone() {
    Counter first = new Counter();
    Counter second = new Counter();
    try (ThreadedAgentHost host = host(0)) {
      AgentHost.Placement placement = host.start(first, bell);
      host.start(second, new AgentBells(Arena.ofAuto().allocate(4096, 64), Arena.ofAuto()));
      placement.close();
      assertEquals(0, first.stopped.getCount());
      assertEquals(1, second.stopped.getCount());
    }
    assertEquals(0, second.stopped.getCount());
  }

  @Test
  void aFailureEndsTheAgentOnly() throws InterruptedException {
    IllegalStateException cause = new IllegalStateException("broken");
    AtomicReference<Throwable> seen = new AtomicReference<>();
    CountDownLatch failed = new CountDownLatch(1);
    Agent agent =
        new Agent() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public int doWork() {
            throw cause;
          }

          @Override
          public long cycleNs() {
            return System.nanoTime();
          }

          @Override
          public void onFailure(Throwable e) {
            seen.set(e);
            failed.countDown();
          }
        };
    try (ThreadedAgentHost host = host(1)) {
      host.start(agent, bell);
      failed.await();
    }
    assertSame(cause, seen.get());
  }

  /** Not even when it cannot be told. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void anAgentThatFailsTwiceLeavesItsPermitAndNoThread(Class<? extends Throwable> thrown)
      throws InterruptedException {
    AtomicReference<Thread> thread = new AtomicReference<>();
    CountDownLatch failed = new CountDownLatch(1);
    Agent agent =
        new Agent() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public int doWork() {
            thread.set(Thread.currentThread());
            return raise();
          }

          @Override
          public long cycleNs() {
            return System.nanoTime();
          }

          @Override
          public void onFailure(Throwable e) {
            failed.countDown();
            int ignored = raise();
          }

          private int raise() {
            if (thrown == AssertionError.class) {
              throw new AssertionError("planned");
            }
            throw new IllegalStateException("planned");
          }
        };
    try (ThreadedAgentHost host = host(1)) {
      host.start(agent, bell);
      failed.await();
      thread.get().join();
      assertEquals(1, host.spare());
      Counter next = new Counter();
      host.start(next, bell);
      next.given.incrementAndGet();
      bell.ring();
      until(() -> next.done.get() == 1);
    }
  }

  @Test
  void halfOfTheProcessorsMaySpin() {
    List<Integer> spinners = new ArrayList<>();
    for (int processors : new int[] {1, 2, 4, 16}) {
      spinners.add(ThreadedAgentHost.spinnersFor(processors));
    }
    assertEquals(List.of(1, 1, 2, 8), spinners);
  }

  @Test
  void howManyMaySpinCanChange() {
    try (ThreadedAgentHost host = host(1)) {
      host.spinners(3);
      assertEquals(3, host.spare());
      host.spinners(0);
      assertEquals(0, host.spare());
      assertThrows(IllegalArgumentException.class, () -> host.spinners(-1));
    }
  }

  @Test
  void anAgentThatMaySpinNoLongerStopsAtItsNextSleep() throws InterruptedException {
    try (ThreadedAgentHost host = host(1)) {
      CountDownLatch spins = new CountDownLatch(1);
      CountDownLatch reduced = new CountDownLatch(1);
      Agent agent =
          new Counter() {
            @Override
            public int doWork() {
              if (host.spare() == 0) {
                spins.countDown();
                try {
                  reduced.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
              return 0;
            }
          };
      host.start(agent, bell);
      spins.await();
      host.spinners(0);
      assertEquals(-1, host.spare());
      reduced.countDown();
      until(() -> host.spare() >= 0);
    }
  }

  /** Waits for what an agent does; not for ever. */
  private static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "it does not happen");
      Thread.onSpinWait();
    }
  }

  /** Does what it was given, one a cycle. */
  private static class Counter implements Agent {
    final AtomicInteger given = new AtomicInteger();
    final AtomicInteger done = new AtomicInteger();
    final CountDownLatch stopped = new CountDownLatch(1);
    final AtomicReference<Thread> thread = new AtomicReference<>();

    @Override
    public String name() {
      return "counter";
    }

    @Override
    public int doWork() {
      thread.set(Thread.currentThread());
      if (done.get() >= given.get()) {
        return 0;
      }
      done.incrementAndGet();
      return 1;
    }

    @Override
    public long cycleNs() {
      return System.nanoTime();
    }

    @Override
    public void onStop() {
      stopped.countDown();
    }

    @Override
    public void onFailure(Throwable e) {
      stopped.countDown();
    }
  }
}
