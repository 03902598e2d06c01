package io.isle.core.drivers.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecoveryBookTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final RecoveryBook book = new RecoveryBook();

  private Recovery enter(String device) {
    return book.enter(
        device,
        number ->
            new Recovery(
                device,
                number,
                new RecoveryCause(RecoveryCause.Kind.CRASH, "test"),
                0,
                1,
                2,
                1,
                false,
                Recovery.Outcome.RECOVERED,
                List.of(),
                1,
                Recovery.Work.NONE));
  }

  @Test
  void whoWaitsGetsTheNextRecoveryOfTheDeviceOnly() throws Exception {
    enter("x0");
    CompletableFuture<Optional<Recovery>> next = CompletableFuture.supplyAsync(() -> await(1));
    enter("x1");
    Recovery second = enter("x0");
    enter("x0");
    assertEquals(Optional.of(second), next.get());
    assertEquals(1, book.await("x0", 0, Duration.ZERO).orElseThrow().number());
    assertEquals(Optional.empty(), book.await("x0", 3, Duration.ofMillis(1)));
  }

  @Test
  void nobodyWaitsForABookThatIsClosed() throws Exception {
    CompletableFuture<Optional<Recovery>> next = CompletableFuture.supplyAsync(() -> await(0));
    book.close();
    assertEquals(Optional.empty(), next.get());
  }

  @Test
  void theNewestAreKept() {
    for (int i = 0; i < RecoveryBook.PER_DEVICE + 2; i++) {
      enter("x0");
    }
    List<Recovery> kept = book.of("x0");
    assertEquals(RecoveryBook.PER_DEVICE, kept.size());
    assertEquals(3, kept.getFirst().number());
    assertTrue(book.of("x1").isEmpty());
  }

  private Optional<Recovery> await(long after) {
    try {
      return book.await("x0", after, LONG);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
