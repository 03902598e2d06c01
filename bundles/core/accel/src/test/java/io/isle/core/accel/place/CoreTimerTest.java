package io.isle.core.accel.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.accel.LogCapture;
import io.isle.core.accel.Thrown;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class CoreTimerTest {
  static Stream<Throwable> thrown() {
    return Stream.of(new IllegalStateException("planned"), new AssertionError("planned"));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whatATaskThrowsIsLoggedAndTheNextOneRuns(Throwable thrown) throws Exception {
    try (LogCapture log = new LogCapture(CoreTimer.class);
        CoreTimer timer = new CoreTimer("isle-test-timer")) {
      CompletableFuture<Thread> ran = new CompletableFuture<>();
      timer.execute(() -> Thrown.raise(thrown));
      var ignored = timer.schedule(() -> Thrown.raise(thrown), 1, TimeUnit.MILLISECONDS);
      ignored =
          timer.schedule(() -> ran.complete(Thread.currentThread()), 2, TimeUnit.MILLISECONDS);
      assertEquals("isle-test-timer", ran.get().getName());
      assertEquals(2, log.lines().size(), () -> log.lines().toString());
    }
  }

  @Test
  void whatComesAfterTheEndIsDropped() {
    CoreTimer timer = new CoreTimer("isle-test-timer");
    timer.close();
    timer.execute(() -> {});
    assertTrue(timer.getQueue().isEmpty());
  }
}
