package io.isle.itests;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for something that happens in another process. */
final class Awaiting {
  private static final long LIMIT_NS = Duration.ofSeconds(30).toNanos();

  /** A condition; false, an exception and a failed assertion all mean "not yet". */
  interface Condition {
    boolean holds() throws Exception;
  }

  private Awaiting() {}

  /** Returns once the condition holds; fails after 30 s, naming what was awaited and the cause. */
  static void await(String what, Condition condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT_NS;
    Throwable last = null;
    while (System.nanoTime() - end < 0) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (Exception | AssertionError e) {
        last = e;
      }
      new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
    }
    String cause = last == null ? "" : ": " + last.getMessage();
    throw new AssertionError("not within 30 s: " + what + cause, last);
  }
}
