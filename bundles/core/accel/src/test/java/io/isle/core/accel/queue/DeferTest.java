package io.isle.core.accel.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.LogCapture;
import io.isle.core.testing.Thrown;
import io.isle.core.testing.Until;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Work that listeners leave to the device's thread for it. */
@Timeout(60)
class DeferTest {
  private final Fixture fixture = new Fixture();
  private final Context context = fixture.context();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aListenerDefersWhatBlocks() throws Exception {
    fixture.device.completeAtOnce = true;
    CompletableFuture<Integer> chained = new CompletableFuture<>();
    CompletableFuture<String> where = new CompletableFuture<>();
    context.listen(
        (from, completion) -> {
          if (completion.point() == 1) {
            int ignored =
                from.defer(
                    () -> {
                      where.complete(Thread.currentThread().getName());
                      chained.complete(from.await(from.submit(from.writer()), -1));
                    });
          }
        },
        Runnable::run);
    assertEquals(1, context.submit(context.writer()));
    assertEquals("isle-defer-sim0", where.get());
    assertEquals(0, chained.get());
    assertEquals(2, context.timeline().ended());
  }

  @Test
  void tasksOfAllContextsRunInOrderOnOneThread() throws Exception {
    fixture.device.maxContexts = 8;
    Context other = fixture.context();
    BlockingQueue<Integer> ran = new LinkedBlockingQueue<>();
    Set<Thread> threads = java.util.concurrent.ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 40; i++) {
      int number = i;
      assertEquals(
          0,
          (i % 2 == 0 ? context : other)
              .defer(
                  () -> {
                    threads.add(Thread.currentThread());
                    ran.add(number);
                  }));
    }
    for (int i = 0; i < 40; i++) {
      assertEquals(i, ran.poll(30, TimeUnit.SECONDS));
    }
    assertEquals(1, threads.size());
  }

  static Stream<Throwable> thrown() {
    return Stream.of(new IllegalStateException("wrong"), new AssertionError("wrong"));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whatATaskThrowsIsLoggedAndEndsNothing(Throwable thrown) throws Exception {
    try (LogCapture log = new LogCapture(DeferredWork.class)) {
      assertEquals(0, context.defer(() -> Thrown.raise(thrown)));
      CompletableFuture<Boolean> next = new CompletableFuture<>();
      assertEquals(0, context.defer(() -> next.complete(true)));
      assertTrue(next.get());
      assertEquals(1, log.lines().size());
      String line = log.lines().get(0);
      assertTrue(line.contains("sim0") && line.contains("tenant test"), line);
    }
  }

  @Test
  void theQueueIsBoundedForEachContextAndForAll() throws Exception {
    fixture.device.maxContexts = 64;
    fixture.lose();
    fixture.online(fixture.device, 2);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Context first = fixture.context();
    assertEquals(
        0,
        first.defer(
            () -> {
              begun.countDown();
              awaitQuietly(release);
            }));
    begun.await();
    fill(first);
    List<Context> others = new ArrayList<>();
    for (int i = 0; i < DeferredWork.CAPACITY / DeferredWork.PER_CONTEXT - 1; i++) {
      others.add(fixture.context(ContextSpec.named("other" + i).withQueue(2, 256)));
      fill(others.get(i));
    }
    Context late = fixture.context();
    assertEquals(-Errno.EAGAIN, late.defer(() -> {}), "the device's queue is full");
    release.countDown();
    assertTrue(Until.holds(() -> late.defer(() -> {}) == 0));
    assertTrue(Until.holds(() -> first.defer(() -> {}) == 0));
  }

  private static void fill(Context context) {
    for (int i = 0; i < DeferredWork.PER_CONTEXT; i++) {
      assertEquals(0, context.defer(() -> {}));
    }
    assertEquals(-Errno.EAGAIN, context.defer(() -> {}));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void refusalsHaveCodes() {
    assertEquals(-Errno.EINVAL, context.defer(null));
    Capability brief = fixture.capabilities.grant("brief", Set.of(Permission.ACCEL_COMPUTE), 0);
    Context revoked = fixture.accelerator().open(brief, ContextSpec.named("brief"));
    fixture.capabilities.revoke(brief);
    assertEquals(-Errno.EREVOKED, revoked.defer(() -> {}));
    context.close();
    assertEquals(-Errno.ECLOSED, context.defer(() -> {}));
  }

  @Test
  void itEndsWithTheDevicesPlace() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    assertEquals(
        0,
        context.defer(
            () -> {
              thread.complete(Thread.currentThread());
              begun.countDown();
              awaitQuietly(new CountDownLatch(1));
              interrupted.complete(Thread.currentThread().isInterrupted());
            }));
    assertEquals(0, context.defer(() -> second.complete(true)));
    begun.await();
    fixture.attachment.close();
    assertTrue(interrupted.get());
    assertFalse(thread.get().isAlive());
    assertFalse(second.isDone(), "what had not begun does not run");
    assertEquals(-Errno.ENODEV, context.defer(() -> {}));
  }

  @Test
  void whatAClosedContextDeferredDoesNotRun() throws Exception {
    Context closed = fixture.context();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Boolean> late = new CompletableFuture<>();
    CompletableFuture<Boolean> next = new CompletableFuture<>();
    assertEquals(
        0,
        context.defer(
            () -> {
              begun.countDown();
              awaitQuietly(release);
            }));
    begun.await();
    assertEquals(0, closed.defer(() -> late.complete(true)));
    assertEquals(0, context.defer(() -> next.complete(true)));
    closed.close();
    release.countDown();
    assertTrue(next.get());
    assertFalse(late.isDone());
  }

  @Test
  void aDeviceThatRecoversKeepsWhatWasDeferred() throws Exception {
    fixture.crash();
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    assertEquals(0, context.defer(() -> ran.complete(true)));
    assertTrue(ran.get());
    var ignored = fixture.recover();
  }
}
