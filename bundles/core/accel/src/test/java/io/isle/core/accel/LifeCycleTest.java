package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.testing.Until;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LifeCycleTest {
  private final Fixture fixture = new Fixture(new AccelLimits(2, 300, 250, 10_000, 10));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void closingEndsPendingWorkAndWaitsForTheRest() throws Exception {
    Context context = fixture.context();
    for (int i = 0; i < 4; i++) {
      assertEquals(i + 1, context.submit(context.writer()));
    }
    var running = fixture.device.awaitRunning(2);
    Thread closer = Thread.ofPlatform().start(context::close);
    // Work that completes before the close has begun makes room for what is still pending.
    assertTrue(Until.holds(() -> !context.info().state().equals("open")));
    assertEquals(-Errno.EINPROGRESS, context.status(1));
    fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    fixture.device.complete(running.get(1), CompletionSink.SUCCESS);
    closer.join();
    assertEquals(0, context.status(1));
    assertEquals(0, context.status(2));
    assertEquals(-Errno.ECLOSED, context.status(3));
    assertEquals(-Errno.ECLOSED, context.await(4, -1));
    assertEquals(4, context.timeline().ended());
    assertNull(context.writer());
    assertEquals(-Errno.ECLOSED, context.submit(null));
    assertEquals(
        Errno.ECLOSED, assertThrows(AccelException.class, () -> context.allocate(1, 0)).code());
    context.close();
    assertEquals("closed", context.info().state());
  }

  @Test
  void aSecondCloseReturnsWhenEveryPointHasItsStatus() throws Exception {
    Context context = fixture.context();
    for (int i = 0; i < 4; i++) {
      assertEquals(i + 1, context.submit(context.writer()));
    }
    var running = fixture.device.awaitRunning(2);
    Thread first = Thread.ofPlatform().start(context::close);
    assertTrue(Until.holds(() -> !context.info().state().equals("open")));
    AtomicInteger seen = new AtomicInteger();
    Thread second =
        Thread.ofPlatform()
            .start(
                () -> {
                  context.close();
                  seen.set(context.status(2));
                });
    assertTrue(
        Until.holds(() -> second.getState() == Thread.State.TIMED_WAITING || !second.isAlive()));
    fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    fixture.device.complete(running.get(1), CompletionSink.TIMEOUT);
    second.join();
    first.join();
    assertEquals(-Errno.ETIMEDOUT, seen.get());
  }

  @Test
  void aBufferInUseCannotBeClosed() throws InterruptedException {
    Context context = fixture.context();
    Buffer buffer = context.allocate(100, 0);
    CommandWriter writer = context.writer();
    assertEquals(0, writer.use(buffer, 0, 100, Buffer.READ));
    long point = context.submit(writer);
    AccelException busy = assertThrows(AccelException.class, buffer::close);
    assertEquals(Errno.EBUSY, busy.code());
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(point, -1));
    buffer.close();
  }

  @Test
  void aBundlesEndClosesItsContexts() {
    fixture.device.completeAtOnce = true;
    Context context = fixture.context();
    context.allocate(100, 0);
    fixture.view.close();
    assertEquals("closed", context.info().state());
    assertTrue(fixture.device.contexts.isEmpty());
    assertThrows(AccelException.class, fixture::context);
  }

  @Test
  void aLostDeviceTakesMemoryAndContextsWithIt() {
    Context context = fixture.context();
    Buffer buffer = context.allocate(100, 0);
    Mapping mapping = buffer.map();
    fixture.attachment.close();
    assertEquals(MemoryObject.Contents.LOST, buffer.memory().contents());
    assertThrows(IllegalStateException.class, mapping::segment);
    assertEquals(Errno.ENODEV, assertThrows(AccelException.class, buffer::map).code());
    assertEquals(-Errno.ENODEV, context.submit(null));
    assertEquals(DeviceState.FAILED, context.accelerator().state());
    assertEquals("lost", context.info().state());
    context.close();
    assertEquals(-Errno.ECLOSED, context.submit(null));
  }

  @Test
  void anotherThreadsWriterIsRefused() throws InterruptedException {
    fixture.device.completeAtOnce = true;
    Context context = fixture.context();
    CommandWriter mine = context.writer();
    BlockingQueue<Long> answers = new LinkedBlockingQueue<>();
    Thread.ofPlatform()
        .start(
            () -> {
              answers.add(context.writer() == null ? 1L : 0L);
              answers.add(context.submit(mine));
              answers.add(context.submit(null));
            });
    assertEquals(1, answers.take());
    assertEquals(-Errno.EBUSY, answers.take());
    assertEquals(-Errno.EBUSY, answers.take());
    assertEquals(1, context.submit(mine));
    assertEquals(-Errno.EINVAL, context.submit(mine));
  }

  @Test
  void aWriterLeftByADeadThreadIsTakenOver() throws InterruptedException {
    fixture.device.completeAtOnce = true;
    Context context = fixture.context();
    Thread.ofPlatform().start(context::writer).join();
    assertEquals(0, context.await(context.submit(context.writer()), -1));
  }

  @Test
  void aFullDeviceIsAskedAgain() throws InterruptedException {
    fixture.device.room = 1;
    Context context = fixture.context();
    long first = context.submit(context.writer());
    long second = context.submit(context.writer());
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(first, -1));
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.TIMEOUT);
    assertEquals(-Errno.ETIMEDOUT, context.await(second, -1));
  }

  @Test
  void aRefusedSubmissionEndsWithTheDriversCode() {
    fixture.device.refusal = -Errno.ENODATA;
    Context context = fixture.context();
    assertEquals(-Errno.ENODATA, context.await(context.submit(context.writer()), -1));
    fixture.device.refusal = -Errno.EINPROGRESS;
    assertEquals(-Errno.EIO, context.await(context.submit(context.writer()), -1));
    fixture.device.refusal = -Errno.ECANCELED;
    assertEquals(-Errno.EIO, context.await(context.submit(context.writer()), -1));
    fixture.device.refusal = 17;
    assertEquals(-Errno.EIO, context.await(context.submit(context.writer()), -1));
  }

  @Test
  void aDriverThatThrowsLosesTheDevice() throws InterruptedException {
    fixture.device.thrown = new IllegalStateException("broken");
    Context context = fixture.context();
    assertEquals(-Errno.EINTR, context.await(context.submit(context.writer()), -1));
    assertTrue(fixture.failures.take().text().contains("broken"));
    fixture.device.thrown = null;
    fixture.device.completeAtOnce = true;
    fixture.online(fixture.device, 2);
    Context next = fixture.context();
    assertEquals(0, next.await(next.submit(next.writer()), -1));
  }

  @Test
  void aDriverThatTakesNoMoreWorkLosesTheDevice() {
    fixture.device.refusal = -Errno.ENODEV;
    Context context = fixture.context();
    assertEquals(-Errno.EINTR, context.await(context.submit(context.writer()), -1));
  }

  @Test
  void aControlCallThatHangsLosesTheDevice() throws InterruptedException {
    Context before = fixture.context();
    CountDownLatch release = new CountDownLatch(1);
    fixture.device.inCreate = () -> awaitQuietly(release);
    AccelException late = assertThrows(AccelException.class, fixture::context);
    assertEquals(Errno.ETIMEDOUT, late.code());
    assertTrue(fixture.failures.take().text().contains("create context did not return"));
    release.countDown();
    assertEquals(-Errno.ENODEV, before.submit(null));
    assertFalse(fixture.core.device("sim0").orElseThrow().currentOpening().isOnline());
  }

  @Test
  void anAgentThatIsStuckInTheDriverCostsItsContextsUntilItComesBack() throws Exception {
    Context before = fixture.context();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    fixture.device.inSubmit =
        () -> {
          entered.countDown();
          awaitQuietly(release);
        };
    long point = before.submit(before.writer());
    entered.await();
    fixture.crash();
    assertEquals(-Errno.EINTR, before.await(point, -1));
    assertEquals(-Errno.ENODEV, before.awaitUsable(-1));
    before.close();
    assertThrows(DriverException.class, fixture::recover);
    release.countDown();
    fixture.recover();
    fixture.device.completeAtOnce = true;
    Context next = fixture.context();
    assertEquals(0, next.await(next.submit(next.writer()), -1));
  }

  @Test
  void aCoreWithAStuckAgentStillStops() throws InterruptedException {
    long before = Mappings.count("isle-");
    Fixture stuck = new Fixture(new AccelLimits(2, 100, 250, 10_000, 10));
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    stuck.device.inSubmit =
        () -> {
          entered.countDown();
          awaitQuietly(release);
        };
    Context context = stuck.context();
    long point = context.submit(context.writer());
    entered.await();
    stuck.core.close();
    assertTrue(context.status(point) == -Errno.ECLOSED || context.status(point) == -Errno.EINTR);
    release.countDown();
    assertTrue(Until.holds(() -> Mappings.count("isle-") == before));
  }

  @Test
  void futuresFailWithTheCode() throws Exception {
    Context context = fixture.context();
    CompletableFuture<?> refused = context.submitAsync(null);
    ExecutionException e = assertThrows(ExecutionException.class, refused::get);
    assertEquals(Errno.EAGAIN, ((AccelException) e.getCause()).code());
    var future = context.submitAsync(context.writer());
    fixture.lose();
    assertEquals(-Errno.EINTR, future.get().status());
  }

  @Test
  void contextsOfManySpecsShareTheCommandSegment() {
    fixture.device.completeAtOnce = true;
    for (int round = 0; round < 50; round++) {
      try (Context a = fixture.context(ContextSpec.named("a").withQueue(64, 4096 + round));
          Context b = fixture.context(ContextSpec.named("b").withQueue(2, 256))) {
        assertEquals(0, a.await(a.submit(a.writer()), -1));
        assertEquals(0, b.await(b.submit(b.writer()), -1));
      }
    }
  }

  static void awaitQuietly(CountDownLatch latch) {
    boolean waiting = true;
    while (waiting) {
      try {
        latch.await();
        waiting = false;
      } catch (InterruptedException e) {
        // A hung driver does not react to an interrupt either.
      }
    }
  }
}
