package io.isle.core.accel.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.LogCapture;
import io.isle.core.accel.agent.ServedContext;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.testing.Thrown;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contexts of realtime priority have a completion thread a device, apart from all others. */
@Tag("alone")
@Timeout(60)
class RealtimeCompletionsTest {
  private static final String NAME = "isle-notifier-rt-sim0";

  private final Fixture fixture = new Fixture();

  RealtimeCompletionsTest() {
    fixture.device.completeAtOnce = true;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Context realtime(String name) {
    return fixture.context(
        ContextSpec.named(name).withPriority(Priority.REALTIME).withGuarantee(10_000, 1_000_000));
  }

  private static Thread teller(Context context) throws Exception {
    BlockingQueue<Thread> told = new LinkedBlockingQueue<>();
    context.listen((from, completion) -> told.add(Thread.currentThread()), Runnable::run);
    assertTrue(context.submit(context.writer()) > 0);
    return told.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void theyShareAThreadOfTheHighestPriorityWhichEndsWithTheLast() throws Exception {
    Context first = realtime("first");
    Context second = realtime("second");
    Thread thread = teller(first);
    assertEquals(NAME, thread.getName());
    assertEquals(Thread.MAX_PRIORITY, thread.getPriority());
    assertEquals(thread, teller(second));
    first.close();
    assertEquals(thread, teller(second));
    second.close();
    assertTrue(thread.join(Duration.ofSeconds(30)));
    Thread next = teller(realtime("third"));
    assertEquals(NAME, next.getName());
    assertFalse(next == thread);
  }

  @Test
  void othersHaveAThreadEach() throws Exception {
    Thread first = teller(fixture.context());
    Thread second = teller(fixture.context());
    assertEquals("isle-notifier-sim0", first.getName());
    assertEquals("isle-notifier-sim0", second.getName());
    assertFalse(first == second);
  }

  @Test
  void theyAreToldWhileListenersOfOthersHang() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch hanging = new CountDownLatch(3);
    try {
      for (int i = 0; i < 3; i++) {
        Context other = fixture.context();
        other.listen(
            (from, completion) -> {
              hanging.countDown();
              try {
                release.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            Runnable::run);
        assertEquals(1, other.submit(other.writer()));
      }
      hanging.await();
      Context context = realtime("control");
      CountDownLatch told = new CountDownLatch(1000);
      context.listen((from, completion) -> told.countDown(), Runnable::run);
      long sent = 0;
      while (sent < 1000) {
        if (context.submit(context.writer()) > 0) {
          sent++;
        } else {
          Thread.onSpinWait();
        }
      }
      told.await();
    } finally {
      release.countDown();
    }
  }

  @Test
  void aFloodOfOneDoesNotKeepAnotherWaiting() throws Exception {
    Context flood = realtime("flood");
    Context brief = realtime("brief");
    CountDownLatch briefTold = new CountDownLatch(1);
    CompletableFuture<Long> floodToldThen = new CompletableFuture<>();
    CountDownLatch queued = new CountDownLatch(1);
    CountDownLatch both = new CountDownLatch(1);
    flood.listen(
        (from, completion) -> {
          if (completion.point() == 1) {
            queued.countDown();
            awaitQuietly(both);
          }
          if (briefTold.getCount() == 0) {
            boolean ignored = floodToldThen.complete(completion.point());
          }
        },
        Runnable::run);
    brief.listen((from, completion) -> briefTold.countDown(), Runnable::run);
    for (int i = 0; i < 64; i++) {
      assertTrue(flood.submit(flood.writer()) > 0);
    }
    assertEquals(0, flood.await(64, -1));
    queued.await();
    assertEquals(1, brief.submit(brief.writer()));
    assertEquals(0, brief.await(1, -1));
    both.countDown();
    assertTrue(floodToldThen.get() <= 17, "after " + floodToldThen.get() + " of the flood");
  }

  @Test
  void oneThatHeldItUpOnceHoldsUpNoOtherAgain() throws Exception {
    fixture.configure(new AccelLimits(64, 5000, 250, 10_000, 1));
    Context slow = realtime("slow");
    Context brief = realtime("brief");
    Thread shared = teller(brief);
    BlockingQueue<Thread> told = new LinkedBlockingQueue<>();
    CountDownLatch release = new CountDownLatch(1);
    slow.listen(
        (from, completion) -> {
          long begun = System.nanoTime();
          while (System.nanoTime() - begun < 2_000_000) {
            Thread.onSpinWait();
          }
          told.add(Thread.currentThread());
          if (completion.point() == 2) {
            awaitQuietly(release);
          }
        },
        Runnable::run);
    try {
      assertEquals(1, slow.submit(slow.writer()));
      assertEquals(shared, told.poll(30, TimeUnit.SECONDS));
      assertEquals(2, slow.submit(slow.writer()));
      Thread apart = told.poll(30, TimeUnit.SECONDS);
      assertEquals(NAME, apart.getName());
      assertFalse(apart == shared);
      assertEquals(shared, teller(brief));
    } finally {
      release.countDown();
    }
    slow.close();
    brief.close();
    assertTrue(shared.join(Duration.ofSeconds(30)));
  }

  /** The others are told elsewhere, each of them once and in order, and so are those to come. */
  @Test
  void oneThatNeverReturnsHoldsUpOthersForASecond() throws Exception {
    Context stuck = realtime("stuck");
    Context brief = realtime("brief");
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    BlockingQueue<Thread> stuckTold = new LinkedBlockingQueue<>();
    stuck.listen(
        (from, completion) -> {
          entered.countDown();
          awaitQuietly(release);
          stuckTold.add(Thread.currentThread());
        },
        Runnable::run);
    BlockingQueue<Long> told = new LinkedBlockingQueue<>();
    BlockingQueue<Thread> tellers = new LinkedBlockingQueue<>();
    brief.listen(
        (from, completion) -> {
          tellers.add(Thread.currentThread());
          told.add(completion.point());
        },
        Runnable::run);
    Thread next;
    try {
      assertEquals(1, stuck.submit(stuck.writer()));
      entered.await();
      for (long point = 1; point <= 3; point++) {
        assertEquals(point, brief.submit(brief.writer()));
      }
      for (long point = 1; point <= 3; point++) {
        assertEquals(point, told.poll(30, TimeUnit.SECONDS));
      }
      next = tellers.take();
      assertEquals(NAME, next.getName());
      assertEquals(next, teller(realtime("later")));
    } finally {
      release.countDown();
    }
    Thread old = stuckTold.take();
    assertFalse(old == next);
    assertEquals(2, stuck.submit(stuck.writer()));
    assertEquals(old, stuckTold.poll(30, TimeUnit.SECONDS));
    assertEquals(4, brief.submit(brief.writer()));
    assertEquals(4, told.poll(30, TimeUnit.SECONDS));
    assertTrue(told.isEmpty());
    stuck.close();
    assertTrue(old.join(Duration.ofSeconds(30)));
  }

  /** Nobody is forgotten when no thread can be had for a while. */
  @ParameterizedTest
  @MethodSource("thrown")
  void whoHasToLeaveDoesSoWhenThereIsAThread(Throwable thrown) throws Exception {
    Context stuck = realtime("stuck");
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger tries = new AtomicInteger();
    BlockingQueue<Notifier> left = new LinkedBlockingQueue<>();
    CompletionThread.Elsewhere elsewhere =
        new CompletionThread.Elsewhere() {
          @Override
          public void move(Notifier slow) {}

          @Override
          public void leave(CompletionThread from, Notifier waiting) {
            if (tries.incrementAndGet() < 3) {
              Thrown.raise(thrown);
            }
            left.add(waiting);
          }
        };
    CompletionThread thread =
        new CompletionThread("teller", Thread.NORM_PRIORITY, () -> {}, elsewhere);
    Notifier first = notifier(stuck);
    Notifier second = notifier(realtime("brief"));
    first.listen((from, completion) -> awaitQuietly(release), Runnable::run);
    assertTrue(thread.serve(first));
    assertTrue(thread.serve(second));
    try {
      assertEquals(1, stuck.submit(stuck.writer()));
      assertEquals(0, stuck.await(1, -1));
      thread.wake();
      assertEquals(second, left.poll(30, TimeUnit.SECONDS));
      assertEquals(3, tries.get());
    } finally {
      release.countDown();
      stuck.close();
      thread.wake();
    }
  }

  static Stream<Throwable> thrown() {
    return Stream.of(
        new IllegalStateException("planned"),
        new OutOfMemoryError("unable to create native thread"));
  }

  /** More than rings can be left over from the start. */
  private static final int FAILURES = 5;

  /** What its thread cannot do at first, or what telling throws, ends no thread that tells. */
  @ParameterizedTest
  @MethodSource("thrown")
  void theThreadGoesOnWhateverIsThrownThere(Throwable thrown) throws Exception {
    Context context = realtime("brief");
    CompletionThread thread =
        new CompletionThread(
            "teller",
            Thread.NORM_PRIORITY,
            () -> Thrown.raise(thrown),
            CompletionThread.Elsewhere.NOWHERE);
    AtomicInteger looks = new AtomicInteger();
    Notifier notifier =
        new Notifier(
            context,
            ((ServedContext) context).record(),
            () -> {
              if (looks.incrementAndGet() <= FAILURES) {
                Thrown.raise(thrown);
              }
              return 0;
            },
            System::nanoTime);
    BlockingQueue<Long> told = new LinkedBlockingQueue<>();
    notifier.listen((from, completion) -> told.add(completion.point()), Runnable::run);
    for (long point = 1; point <= 2 * FAILURES; point++) {
      assertEquals(point, context.submit(context.writer()));
      assertEquals(0, context.await(point, -1));
    }
    assertTrue(thread.serve(notifier));
    for (long point = 1; point <= 2 * FAILURES; point++) {
      assertEquals(point, told.poll(30, TimeUnit.SECONDS), "nobody rings again");
    }
    notifier.stop();
    context.close();
  }

  private static Notifier notifier(Context context) {
    return new Notifier(context, ((ServedContext) context).record(), () -> 0, System::nanoTime);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void futuresOfTheirsEndOnThatThreadToo() throws Exception {
    Context context = realtime("control");
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    fixture.device.completeAtOnce = false;
    var future = context.submitAsync(context.writer());
    var dependent = future.thenAccept(completion -> thread.complete(Thread.currentThread()));
    fixture.device.awaitRunning(1);
    fixture.device.close();
    assertEquals(NAME, thread.get().getName());
    dependent.get();
  }

  @Test
  void whatTheKernelGrantsIsSaidOnce() throws Exception {
    try (LogCapture log = new LogCapture(RealtimeScheduling.class)) {
      Context context = realtime("control");
      teller(context);
      teller(realtime("second"));
      assertEquals(1, log.lines().size());
      String line = log.lines().get(0);
      assertTrue(line.startsWith("sim0: the thread for realtime completions runs "), line);
    }
  }

  @Test
  void eachGrantHasItsWords() {
    assertTrue(RealtimeScheduling.describe(0, 0).endsWith("with SCHED_FIFO, priority 1"));
    assertTrue(
        RealtimeScheduling.describe(-Errno.EPERM, 0)
            .endsWith("with nice -15; SCHED_FIFO was refused: EPERM"));
    String none = RealtimeScheduling.describe(-Errno.EPERM, -Errno.EACCES);
    assertTrue(none.contains("with normal scheduling") && none.contains("EACCES"), none);
    assertTrue(none.contains("CAP_SYS_NICE"), none);
  }
}
