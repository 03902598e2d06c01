package io.isle.core.accel.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.NoBlockedListeners;
import io.isle.core.testing.Until;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Notifiers of contexts that are closed after the check that they are open. */
@Timeout(60)
class NotifierTest {
  private final Fixture fixture = new Fixture();
  private final Set<Thread> before = notifiers();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aNotifierThatStartsAfterTheCloseEnds() throws InterruptedException {
    ExecutionContext context = (ExecutionContext) fixture.context();
    context.close();
    context.path.startNotifier(context);
    assertAllEnd();
  }

  @Test
  @ExtendWith(NoBlockedListeners.class)
  void aNotifierThatStartsDuringTheCloseTellsWhatEnds() throws Exception {
    ExecutionContext context = (ExecutionContext) fixture.context();
    assertEquals(1, context.submit(context.writer()));
    var running = fixture.device.awaitRunning(1);
    Thread closer = Thread.ofPlatform().start(context::close);
    assertTrue(Until.holds(context.record()::over));
    context.path.startNotifier(context);
    CompletableFuture<Completion> heard = new CompletableFuture<>();
    context.record().queue().notifier.listen((from, told) -> heard.complete(told), Runnable::run);
    int ignored = fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(1, heard.get().point());
    closer.join();
    assertAllEnd();
  }

  /** The close, with all its threads, between the last look at the context and the submission. */
  @Test
  void whatIsSubmittedWhileItClosesIsToldOfOnceAndInOrder() throws Exception {
    AtomicBoolean closes = new AtomicBoolean();
    AtomicReference<Context> closing = new AtomicReference<>();
    Capability hooked =
        (Capability)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Capability.class},
                (self, method, args) -> {
                  if (method.getName().equals("valid") && closes.getAndSet(false)) {
                    Thread closer = Thread.ofPlatform().start(closing.get()::close);
                    closer.join();
                    assertAllEnd();
                  }
                  return method.invoke(fixture.all, args);
                });
    Context context = fixture.accelerator().open(hooked, ContextSpec.named("closing"));
    closing.set(context);
    BlockingQueue<Completion> heard = new LinkedBlockingQueue<>();
    context.listen((from, told) -> heard.add(told), Runnable::run);
    fixture.device.completeAtOnce = true;
    assertEquals(1, context.submit(context.writer()));
    assertEquals(1, heard.take().point());
    CommandWriter writer = context.writer();
    closes.set(true);
    assertEquals(2, context.submitAsync(writer).get().point());
    Completion late = heard.take();
    assertEquals(2, late.point());
    assertEquals(-Errno.ECLOSED, late.status());
    assertEquals(-Errno.ECLOSED, context.submit(context.writer()));
    assertTrue(heard.isEmpty());
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
