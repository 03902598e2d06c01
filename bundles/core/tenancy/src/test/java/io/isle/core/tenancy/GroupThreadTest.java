package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the thread of groups survives: whatever it runs. */
@Timeout(60)
class GroupThreadTest {
  static Stream<Throwable> thrown() {
    return Stream.of(new IllegalStateException("planned"), new AssertionError("planned"));
  }

  private static void raise(Throwable what) {
    switch (what) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(what);
    }
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void theNextChangeIsMade(Throwable thrown) throws Exception {
    try (GroupThread thread = new GroupThread("isle-test-groups")) {
      Thread before = thread.call("test", Thread::currentThread);
      BlockingQueue<Thread> later = new LinkedBlockingQueue<>();
      thread.post(() -> raise(thrown));
      thread.after(Duration.ofMillis(1), () -> raise(thrown));
      thread.after(Duration.ofMillis(2), () -> later.add(Thread.currentThread()));
      assertSame(before, later.take());
      assertThrows(
          RuntimeException.class,
          () ->
              thread.call(
                  "test",
                  () -> {
                    raise(thrown);
                    return null;
                  }));
      assertSame(before, thread.call("test", Thread::currentThread));
    }
  }
}
