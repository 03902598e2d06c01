package io.isle.core.drivers.nativecode.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShimCallerTest {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final ShimCaller caller = new ShimCaller("test");
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void release() {
    held.countDown();
    caller.shutdown();
  }

  private String hold() throws InterruptedException {
    held.await();
    return "returned";
  }

  @Test
  void aCallWhoseCallerIsInterruptedGoesOnAndTheNextOneIsBehindIt() {
    Thread.currentThread().interrupt();
    assertEquals(Optional.empty(), caller.unlessInterrupted(this::hold, PATIENCE_NS));
    assertTrue(Thread.interrupted());
    assertFalse(caller.hung());
    held.countDown();
    Thread.currentThread().interrupt();
    assertEquals(Optional.of("next"), caller.call(() -> "next", PATIENCE_NS));
    assertTrue(Thread.interrupted());
  }

  @Test
  void whatIsBehindACallThatDoesNotReturnIsGivenUpAndNeverBegins() {
    AtomicBoolean begun = new AtomicBoolean();
    Thread.currentThread().interrupt();
    assertEquals(Optional.empty(), caller.unlessInterrupted(this::hold, PATIENCE_NS));
    assertTrue(Thread.interrupted());
    assertEquals(Optional.empty(), caller.call(() -> begun.getAndSet(true), 1));
    assertTrue(caller.hung());
    held.countDown();
    assertEquals(Optional.of("next"), caller.call(() -> "next", PATIENCE_NS));
    assertFalse(begun.get());
    assertTrue(caller.hung());
  }
}
