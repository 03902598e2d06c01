package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Completion;
import io.isle.api.driver.CompletionSink;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Notifiers of contexts that are closed after the check that they are open. */
@Timeout(60)
class NotifierTest {
  private final Bench bench = new Bench();
  private final Set<Thread> before = notifiers();

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aNotifierThatStartsAfterTheCloseEnds() throws InterruptedException {
    ExecutionContext context = (ExecutionContext) bench.context();
    context.close();
    context.path().startNotifier(context);
    assertAllEnd();
  }

  @Test
  @ExtendWith(NoBlockedListeners.class)
  void aNotifierThatStartsDuringTheCloseTellsWhatEnds() throws Exception {
    ExecutionContext context = (ExecutionContext) bench.context();
    assertEquals(1, context.submit(context.writer()));
    var running = bench.device.awaitRunning(1);
    Thread closer = Thread.ofPlatform().start(context::close);
    assertTrue(Until.holds(context.seat()::over));
    context.path().startNotifier(context);
    CompletableFuture<Completion> heard = new CompletableFuture<>();
    context.seat().queue().notifier.listen((from, told) -> heard.complete(told), Runnable::run);
    int ignored = bench.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(1, heard.get().point());
    closer.join();
    assertAllEnd();
  }

  private void assertAllEnd() throws InterruptedException {
    Set<Thread> started = notifiers();
    started.removeAll(before);
    for (Thread thread : started) {
      assertTrue(thread.join(Duration.ofSeconds(20)), "a notifier stays");
    }
  }

  private static Set<Thread> notifiers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("isle-notifier"))
        .collect(Collectors.toSet());
  }
}
