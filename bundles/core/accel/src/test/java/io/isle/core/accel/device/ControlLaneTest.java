package io.isle.core.accel.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.core.accel.Thrown;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ControlLaneTest {
  private final Queue<RecoveryCause> failures = new ConcurrentLinkedQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    release.countDown();
    callers.close();
  }

  private Future<Integer> call(ControlLane lane, Runnable operation) {
    return callers.submit(
        () -> assertThrows(AccelException.class, () -> lane.run("test", operation)).code());
  }

  private void hang(CountDownLatch entered) {
    entered.countDown();
    boolean hung = true;
    while (hung) {
      try {
        release.await();
        hung = false;
      } catch (InterruptedException e) {
        // A hung driver does not react.
      }
    }
  }

  static Stream<Throwable> thrown() {
    return Stream.of(new IllegalStateException("planned"), new AssertionError("planned"));
  }

  /** Also when what a call comes to cannot be told. */
  @ParameterizedTest
  @MethodSource("thrown")
  void whoPostedACallHearsOfItsEnd(Throwable thrown) throws Exception {
    ControlLane lane = new ControlLane("sim0", () -> true, 60_000, cause -> Thrown.raise(thrown));
    BlockingQueue<AccelException> heard = new LinkedBlockingQueue<>();
    lane.post("test", () -> Thrown.raise(thrown), heard::add);
    assertEquals(Errno.EIO, heard.take().code());
    lane.post(
        "test",
        () -> {
          throw new AccelException(Errno.ENODEV, "gone");
        },
        heard::add);
    assertEquals(Errno.EIO, heard.take().code());
    lane.abort();
  }

  @Test
  void aBuildHasMoreTimeAndSoHasWhatWaitsBehindIt() throws Exception {
    ControlLane lane = new ControlLane("sim0", () -> true, 1, 60_000, failures::add);
    CountDownLatch entered = new CountDownLatch(1);
    Future<String> built =
        callers.submit(
            () ->
                lane.build(
                    "test",
                    1,
                    () -> {
                      hang(entered);
                      return "built";
                    }));
    entered.await();
    Future<String> behind = callers.submit(() -> lane.call("test", () -> "called"));
    assertThrows(TimeoutException.class, () -> behind.get(20, TimeUnit.MILLISECONDS));
    release.countDown();
    assertEquals("built", built.get());
    assertEquals("called", behind.get());
    assertTrue(failures.isEmpty(), failures::toString);
    lane.abort();
  }

  @Test
  void aBuildThatDoesNotReturnFailsTheDevice() {
    ControlLane lane = new ControlLane("sim0", () -> true, 1, 20, failures::add);
    AccelException hung =
        assertThrows(
            AccelException.class,
            () ->
                lane.build(
                    "test",
                    2,
                    () -> {
                      hang(new CountDownLatch(1));
                      return 0;
                    }));
    assertEquals(Errno.ETIMEDOUT, hung.code());
    assertTrue(hung.getMessage().contains("within 41 ms"), hung.getMessage());
    assertEquals(RecoveryCause.Kind.HANG, failures.remove().kind());
    lane.abort();
  }

  @Test
  void aCallThatDoesNotReturnFailsTheDevice() throws Exception {
    ControlLane lane = new ControlLane("sim0", () -> true, 100, failures::add);
    assertEquals(Errno.ETIMEDOUT, call(lane, () -> hang(new CountDownLatch(1))).get());
    assertEquals(RecoveryCause.Kind.HANG, failures.remove().kind());
    lane.abort();
  }

  @Test
  void whoIsToldOfAPostThrowsForHimself() throws Exception {
    ControlLane lane = new ControlLane("sim0", () -> true, 1000, failures::add);
    CompletableFuture<Thread> told = new CompletableFuture<>();
    AtomicInteger times = new AtomicInteger();
    lane.post(
        "test",
        () -> {},
        failure -> {
          times.incrementAndGet();
          boolean ignored = told.complete(Thread.currentThread());
          throw new AccelException(Errno.ETIMEDOUT, "the agent is stuck");
        });
    told.get().join();
    assertEquals(1, times.get());
    lane.close();
  }

  @Test
  void whoeverWaitsWhenTheDeviceGoesInOrderIsToldAndNobodyElseIsBlamed() throws Exception {
    ControlLane lane = new ControlLane("sim0", () -> true, 2000, failures::add);
    CountDownLatch entered = new CountDownLatch(1);
    Future<Integer> hung = call(lane, () -> hang(entered));
    entered.await();
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    Future<Integer> queued = call(lane, () -> ran.complete(true));
    lane.close();
    assertEquals(Errno.EINTR, hung.get());
    assertEquals(Errno.EINTR, queued.get());
    assertEquals(Errno.EINTR, call(lane, () -> {}).get());
    assertTrue(failures.isEmpty(), failures::toString);
    assertTrue(!ran.isDone());
  }
}
