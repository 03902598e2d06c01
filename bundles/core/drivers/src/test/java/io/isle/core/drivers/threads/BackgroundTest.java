package io.isle.core.drivers.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.testing.Thrown;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the threads of the driver service survive: whatever they run. */
@Timeout(60)
class BackgroundTest {
  private static final Duration SOON = Duration.ofMillis(1);

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void aRegularLookGoesOn(Throwable thrown) throws Exception {
    try (Background background = new Background()) {
      CountDownLatch looks = new CountDownLatch(3);
      background.every(
          SOON,
          () -> {
            looks.countDown();
            Thrown.raise(thrown);
          });
      looks.await();
    }
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void whatIsToRunLaterRuns(Throwable thrown) throws Exception {
    try (Background background = new Background()) {
      CompletableFuture<Boolean> ran = new CompletableFuture<>();
      assertTrue(background.execute(() -> Thrown.raise(thrown)));
      background.after(SOON, () -> Thrown.raise(thrown));
      background.after(SOON, () -> ran.complete(true));
      assertTrue(ran.get());
    }
  }
}
