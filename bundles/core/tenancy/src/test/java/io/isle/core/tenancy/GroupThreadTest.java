package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.core.testing.Thrown;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the thread of groups survives: whatever it runs. */
@Timeout(60)
class GroupThreadTest {
  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void theNextChangeIsMade(Throwable thrown) throws Exception {
    try (GroupThread thread = new GroupThread("isle-test-groups")) {
      Thread before = thread.call("test", Thread::currentThread);
      BlockingQueue<Thread> later = new LinkedBlockingQueue<>();
      thread.post(() -> Thrown.raise(thrown));
      thread.after(Duration.ofMillis(1), () -> Thrown.raise(thrown));
      thread.after(Duration.ofMillis(2), () -> later.add(Thread.currentThread()));
      assertSame(before, later.take());
      assertThrows(
          RuntimeException.class,
          () ->
              thread.call(
                  "test",
                  () -> {
                    Thrown.raise(thrown);
                    return null;
                  }));
      assertSame(before, thread.call("test", Thread::currentThread));
    }
  }
}
