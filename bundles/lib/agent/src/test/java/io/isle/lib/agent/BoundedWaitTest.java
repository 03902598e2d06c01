package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BoundedWaitTest {
  private static final BoundedWait WAIT = upTo(Duration.ofDays(1));

  private static final class Refused extends IsleException {
    private static final long serialVersionUID = 1L;

    Refused(int code, String message, Throwable cause) {
      super(code, message, cause);
    }
  }

  private static BoundedWait upTo(Duration limit) {
    return new BoundedWait(limit, what -> what + ": stopped", Refused::new);
  }

  private static void refused(int code, String message, BoundedWait wait, CompletableFuture<?> on) {
    Refused thrown = assertThrows(Refused.class, () -> wait.result("the change", on));
    assertEquals(code, thrown.code());
    assertEquals(message, thrown.getMessage());
  }

  @Test
  void aResultIsHandedOn() {
    assertEquals("done", WAIT.result("the change", CompletableFuture.completedFuture("done")));
  }

  @Test
  void anExceptionOfTheWorkComesAsItIs() {
    RuntimeException planned = new IllegalArgumentException("planned");
    assertSame(
        planned,
        assertThrows(
            RuntimeException.class,
            () -> WAIT.result("the change", CompletableFuture.failedFuture(planned))));
    IOException other = new IOException("planned");
    IllegalStateException around =
        assertThrows(
            IllegalStateException.class,
            () -> WAIT.result("the change", CompletableFuture.failedFuture(other)));
    assertSame(other, around.getCause());
  }

  @Test
  void theLimitTheEndAndAnInterruptAreToldInTheAreasException() {
    refused(
        Errno.ETIMEDOUT,
        "the change did not end within 0 s",
        upTo(Duration.ZERO),
        new CompletableFuture<>());
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    assertTrue(cancelled.cancel(false));
    refused(Errno.ECLOSED, "the change: stopped", WAIT, cancelled);
    Thread.currentThread().interrupt();
    refused(Errno.ECANCELED, "the change was interrupted", WAIT, new CompletableFuture<>());
    assertTrue(Thread.interrupted(), "the interrupt stays with the caller");
  }
}
