package io.isle.core.drivers.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the threads of the driver service survive: whatever they run. */
@Timeout(60)
class BackgroundTest {
  private static final Duration SOON = Duration.ofMillis(1);

  static Stream<Throwable> thrown() {
    return Stream.of(new IllegalStateException("planned"), new AssertionError("planned"));
  }

  static void raise(Throwable what) {
    switch (what) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(what);
    }
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aRegularLookGoesOn(Throwable thrown) throws Exception {
    try (Background background = new Background()) {
      CountDownLatch looks = new CountDownLatch(3);
      background.every(
          SOON,
          () -> {
            looks.countDown();
            raise(thrown);
          });
      looks.await();
    }
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whatIsToRunLaterRuns(Throwable thrown) throws Exception {
    try (Background background = new Background()) {
      CompletableFuture<Boolean> ran = new CompletableFuture<>();
      assertTrue(background.execute(() -> raise(thrown)));
      background.after(SOON, () -> raise(thrown));
      background.after(SOON, () -> ran.complete(true));
      assertTrue(ran.get());
    }
  }
}
