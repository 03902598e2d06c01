package io.isle.core.accel.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionListener;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.LogCapture;
import io.isle.core.accel.agent.ServedContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of listeners that hold up whoever tells of completions, or that fail. */
@Timeout(60)
class SlowListenerTest {
  private static final long LIMIT_MS = 10;

  private final Fixture fixture = new Fixture();
  private final LogCapture log = new LogCapture(Notifier.class);
  private long nowNs = 1;

  SlowListenerTest() {
    fixture.device.completeAtOnce = true;
  }

  @AfterEach
  void close() {
    log.close();
    fixture.close();
  }

  private void takes(long ms) {
    nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private Context context(Priority priority) {
    return fixture.context(
        ContextSpec.named("heard").withPriority(priority).withGuarantee(10_000, 1_000_000));
  }

  private Notifier notifier(Context context, long limitMs) {
    return new Notifier(context, ((ServedContext) context).record(), () -> limitMs, () -> nowNs);
  }

  /** Tells of three completions on this thread, in a time of the test's own. */
  private void tell(
      Priority priority, long limitMs, CompletionListener listener, Executor executor) {
    Context context = context(priority);
    Notifier notifier = notifier(context, limitMs);
    notifier.listen(listener, executor);
    for (int i = 1; i <= 3; i++) {
      assertEquals(i, context.submit(context.writer()));
      assertEquals(0, context.await(i, -1));
      assertEquals(Notifier.Told.SOME, notifier.tell(16));
    }
    assertEquals(Notifier.Told.NOTHING, notifier.tell(16));
  }

  @Test
  void aSlowOneIsLoggedOnceAContext() {
    tell(Priority.NORMAL, LIMIT_MS, (from, completion) -> takes(LIMIT_MS + 1), Runnable::run);
    assertEquals(1, log.lines().size());
    String line = log.lines().get(0);
    assertTrue(line.startsWith("sim0: context heard of tenant test: the listener "), line);
    assertTrue(line.contains(getClass().getName()), line);
    assertTrue(line.contains("held up the context's completions for 11 ms"), line);
    assertTrue(line.contains("Context.defer") && line.contains("dependents of a future"), line);
    tell(Priority.REALTIME, LIMIT_MS, (from, completion) -> takes(LIMIT_MS + 1), Runnable::run);
    assertEquals(2, log.lines().size());
    assertTrue(log.lines().get(1).contains("the device's realtime completions"));
  }

  @Test
  void oneWithinTheLimitIsNot() {
    tell(Priority.NORMAL, LIMIT_MS, (from, completion) -> takes(LIMIT_MS), Runnable::run);
    assertEquals(List.of(), log.lines());
  }

  @Test
  void oneThatRunsElsewhereIsNot() {
    List<Runnable> queued = new ArrayList<>();
    tell(Priority.NORMAL, LIMIT_MS, (from, completion) -> takes(LIMIT_MS + 1), queued::add);
    assertEquals(3, queued.size());
    queued.forEach(Runnable::run);
    assertEquals(List.of(), log.lines());
  }

  @Test
  void zeroIsNoLimit() {
    tell(Priority.NORMAL, 0, (from, completion) -> takes(60_000), Runnable::run);
    assertEquals(List.of(), log.lines());
  }

  /** Only of realtime contexts does what depends on a future run here. */
  @Test
  void whatDependsOnAFutureCountsToo() {
    Context context = context(Priority.REALTIME);
    Notifier notifier = notifier(context, LIMIT_MS);
    var future = new CompletableFuture<Completion>();
    var dependent = future.thenRun(() -> takes(LIMIT_MS + 1));
    notifier.expect(1, future);
    assertEquals(1, context.submit(context.writer()));
    assertEquals(0, context.await(1, -1));
    assertEquals(Notifier.Told.SOME, notifier.tell(16));
    assertTrue(dependent.isDone());
    assertTrue(log.lines().get(0).contains("a future held up"), log.lines().toString());
  }

  @Test
  void oneThatFailsIsLoggedAndHearsOfTheNextCompletion() {
    tell(
        Priority.NORMAL,
        LIMIT_MS,
        (from, completion) -> {
          throw new AssertionError("wrong");
        },
        Runnable::run);
    assertEquals(3, log.lines().size());
    assertTrue(log.lines().get(0).contains("tenant test"));
    assertTrue(log.lines().get(0).contains("failed"));
  }

  @Test
  void anExecutorThatRefusesIsLoggedAndAskedForTheNextCompletion() {
    tell(
        Priority.NORMAL,
        LIMIT_MS,
        (from, completion) -> {},
        task -> {
          throw new RejectedExecutionException("full");
        });
    assertEquals(3, log.lines().size());
    assertTrue(log.lines().get(0).contains("refused"));
  }

  @Test
  void aListenerThatIsInterruptedLeavesNoTrace() {
    tell(
        Priority.NORMAL,
        LIMIT_MS,
        (from, completion) -> Thread.currentThread().interrupt(),
        Runnable::run);
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void aClosedContextIsToldToItsEnd() {
    Context context = context(Priority.NORMAL);
    Notifier notifier = notifier(context, LIMIT_MS);
    List<Integer> heard = new ArrayList<>();
    notifier.on(
        new CompletionThread(
            "unused", Thread.NORM_PRIORITY, () -> {}, CompletionThread.Elsewhere.NOWHERE));
    notifier.listen((from, completion) -> heard.add(completion.status()), Runnable::run);
    fixture.device.completeAtOnce = false;
    fixture.device.room = 0;
    assertEquals(1, context.submit(context.writer()));
    context.close();
    notifier.stop();
    assertEquals(Notifier.Told.SOME, notifier.tell(16));
    assertEquals(Notifier.Told.OVER, notifier.tell(16));
    assertEquals(List.of(-Errno.ECLOSED), heard);
  }
}
