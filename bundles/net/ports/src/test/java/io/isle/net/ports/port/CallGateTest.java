package io.isle.net.ports.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallGateTest {
  private final CallGate gate = new CallGate();

  @Test
  void whoeverClosesWithoutCallsReleases() {
    assertTrue(gate.enter());
    assertFalse(gate.leave());
    assertFalse(gate.isClosed());
    assertTrue(gate.close());
    assertTrue(gate.isClosed());
    assertFalse(gate.enter());
    assertFalse(gate.close(), "a second close");
  }

  @Test
  void theLastOfTheCallsInsideReleases() {
    assertTrue(gate.enter());
    assertTrue(gate.enter());
    assertFalse(gate.close());
    assertFalse(gate.enter());
    assertFalse(gate.close());
    assertFalse(gate.leave());
    assertTrue(gate.leave());
    assertFalse(gate.close());
  }

  @RepeatedTest(200)
  void threadsReleaseOnceWhenNobodyIsInside() throws InterruptedException, ExecutionException {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger released = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        all.add(
            threads.submit(
                () -> {
                  begun.countDown();
                  while (gate.enter()) {
                    inside.incrementAndGet();
                    wrong.addAndGet(released.get());
                    inside.decrementAndGet();
                    if (gate.leave()) {
                      wrong.addAndGet(inside.get());
                      released.incrementAndGet();
                    }
                  }
                }));
      }
      begun.await();
      if (gate.close()) {
        wrong.addAndGet(inside.get());
        released.incrementAndGet();
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertEquals(1, released.get());
    assertEquals(0, wrong.get());
  }
}
