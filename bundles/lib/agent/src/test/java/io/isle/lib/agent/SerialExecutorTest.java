package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class SerialExecutorTest {
  private static final Duration SOON = Duration.ofMillis(1);
  private static final Duration NEVER = Duration.ofDays(200);

  private final SerialExecutor executor = new SerialExecutor("isle-test-serial");
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void close() {
    gate.countDown();
    executor.close();
  }

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

  /** Keeps the thread busy until the gate opens or an interrupt comes. */
  private void hold() {
    begun.countDown();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void holdUp() throws InterruptedException {
    assertTrue(executor.post(this::hold));
    begun.await();
  }

  @Test
  void tasksRunInTheirOrderOnOneDaemonThreadOfTheName() throws Exception {
    List<Integer> order = new ArrayList<>();
    List<Integer> wanted = IntStream.range(0, 1000).boxed().toList();
    wanted.forEach(i -> assertTrue(executor.post(() -> order.add(i))));
    Thread thread = executor.submit(Thread::currentThread).get();
    assertEquals(wanted, order);
    assertEquals("isle-test-serial", thread.getName());
    assertTrue(thread.isDaemon());
    assertNotSame(Thread.currentThread(), thread);
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whatATaskThrowsIsLoggedAndTheSameThreadGoesOn(Throwable thrown) throws Exception {
    BlockingQueue<LogRecord> logged = new LinkedBlockingQueue<>();
    Handler handler = new Remembering(logged);
    Logger logger = Logger.getLogger(SerialExecutor.class.getName());
    logger.addHandler(handler);
    try {
      Thread before = executor.submit(Thread::currentThread).get();
      assertTrue(executor.post(() -> raise(thrown)));
      var ignored = executor.after(SOON, () -> raise(thrown));
      assertSame(thrown, logged.take().getThrown());
      assertSame(thrown, logged.take().getThrown());
      assertSame(before, executor.submit(Thread::currentThread).get());
    } finally {
      logger.removeHandler(handler);
    }
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whoeverWaitsIsToldWhatATaskThrew(Throwable thrown) throws Exception {
    Future<Object> asked =
        executor.submit(
            () -> {
              raise(thrown);
              return null;
            });
    assertSame(thrown, assertThrows(ExecutionException.class, asked::get).getCause());
    assertEquals("next", executor.submit(() -> "next").get());
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aRegularTaskGoesOn(Throwable thrown) throws Exception {
    CountDownLatch runs = new CountDownLatch(3);
    executor.every(
        SOON,
        () -> {
          runs.countDown();
          raise(thrown);
        });
    runs.await();
  }

  @Test
  void aTaskThatSubmitsDoesNotWaitForItself() throws Exception {
    assertFalse(executor.isCurrent());
    assertEquals(
        "inner",
        executor
            .submit(() -> executor.isCurrent() ? executor.submit(() -> "inner").get() : "outer")
            .get());
  }

  @Test
  void aDelayedTaskThatIsCancelledDoesNotRun() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    holdUp();
    Future<?> delayed = executor.after(SOON, ran::incrementAndGet);
    assertTrue(delayed.cancel(false));
    Future<?> other = executor.after(SOON, () -> {});
    gate.countDown();
    assertEquals(null, other.get());
    assertEquals(0, ran.get());
  }

  @Test
  void shutLetsQueuedTasksRunAndDropsDelayedOnes() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    holdUp();
    assertTrue(executor.post(ran::incrementAndGet));
    Future<?> delayed = executor.after(NEVER, () -> ran.addAndGet(100));
    executor.shut();
    assertTrue(executor.isShut());
    assertFalse(executor.post(() -> ran.addAndGet(100)));
    assertThrows(RejectedExecutionException.class, () -> executor.execute(() -> ran.addAndGet(9)));
    assertTrue(executor.submit(() -> 1).isCancelled());
    assertTrue(executor.after(SOON, () -> ran.addAndGet(100)).isCancelled());
    assertFalse(executor.awaitEnd(Duration.ZERO));
    gate.countDown();
    assertTrue(executor.awaitEnd(NEVER));
    assertEquals(1, ran.get());
    assertTrue(delayed.isCancelled());
  }

  @Test
  void finishWaitsForAllThatIsQueued() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    holdUp();
    assertTrue(executor.post(ran::incrementAndGet));
    Thread opener = Thread.ofPlatform().start(gate::countDown);
    executor.finish();
    assertEquals(1, ran.get());
    opener.join();
  }

  @Test
  void closeInterruptsTheRunningTaskAndTellsWhoeverWaitsForAnother() throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    assertTrue(
        executor.post(
            () -> {
              hold();
              interrupted.complete(Thread.currentThread().isInterrupted());
            }));
    begun.await();
    Future<Integer> waiting = executor.submit(() -> 1);
    executor.close();
    assertTrue(interrupted.get());
    assertTrue(waiting.isCancelled());
    assertTrue(executor.awaitEnd(Duration.ZERO));
  }

  @Test
  void aTaskMayCloseItsExecutor() throws Exception {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    assertTrue(
        executor.post(
            () -> {
              executor.close();
              closed.complete(executor.isShut());
            }));
    assertTrue(closed.get());
  }

  @Test
  void droppedTasksDoNotRunAndLaterOnesDo() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    holdUp();
    assertTrue(executor.post(ran::incrementAndGet));
    Future<?> delayed = executor.after(NEVER, ran::incrementAndGet);
    executor.drop();
    Future<String> next = executor.submit(() -> "next");
    gate.countDown();
    assertEquals("next", next.get());
    assertTrue(delayed.isCancelled());
    assertEquals(0, ran.get());
  }

  /** Ends right after it was asked whether it has. */
  private static final class Ending extends ScheduledThreadPoolExecutor {
    Ending() {
      super(1);
    }

    @Override
    public boolean isShutdown() {
      boolean was = super.isShutdown();
      shutdown();
      return was;
    }
  }

  @Test
  void workThatIsDroppedBecauseTheExecutorEndsMeanwhileWasNotTaken() throws Exception {
    Ending ending = new Ending();
    AtomicInteger done = new AtomicInteger();
    assertFalse(new SerialExecutor("isle-test-ending", ending).post(done::incrementAndGet));
    assertTrue(ending.awaitTermination(60, TimeUnit.SECONDS));
    assertEquals(0, done.get());
  }

  /** Has no thread at first. */
  private static final class Poor extends ScheduledThreadPoolExecutor {
    private boolean rich;

    Poor() {
      super(1);
    }

    @Override
    public void setThreadFactory(ThreadFactory factory) {
      super.setThreadFactory(
          work -> {
            if (!rich) {
              throw new OutOfMemoryError("planned: no thread");
            }
            return factory.newThread(work);
          });
    }
  }

  @Test
  void aTaskWhoseThreadCannotBeStartedNeverRuns() throws Exception {
    Poor poor = new Poor();
    AtomicInteger ran = new AtomicInteger();
    try (SerialExecutor serial = new SerialExecutor("isle-test-poor", poor)) {
      assertThrows(OutOfMemoryError.class, () -> serial.post(ran::incrementAndGet));
      assertThrows(OutOfMemoryError.class, () -> serial.submit(ran::incrementAndGet));
      assertThrows(OutOfMemoryError.class, () -> serial.after(SOON, ran::incrementAndGet));
      poor.rich = true;
      assertEquals("next", serial.submit(() -> "next").get());
      assertEquals(0, ran.get());
    }
  }

  private static final class Remembering extends Handler {
    private final BlockingQueue<LogRecord> logged;

    Remembering(BlockingQueue<LogRecord> logged) {
      this.logged = logged;
    }

    @Override
    public void publish(LogRecord told) {
      logged.add(told);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
