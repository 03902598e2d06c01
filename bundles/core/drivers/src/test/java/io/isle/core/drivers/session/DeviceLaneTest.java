package io.isle.core.drivers.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.ControlLane;
import io.isle.api.driver.DriverException;
import io.isle.core.testing.Thrown;
import java.time.Duration;
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
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class DeviceLaneTest {
  private final Queue<RecoveryCause> failures = new ConcurrentLinkedQueue<>();
  private final HungCall hung = new HungCall();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    hung.release();
    callers.close();
  }

  private static DeviceLane lane(long boundMs, Consumer<RecoveryCause> failed) {
    return lane(boundMs, 60_000, failed);
  }

  private static DeviceLane lane(long boundMs, long buildMs, Consumer<RecoveryCause> failed) {
    DeviceLane.Bounds bounds =
        new DeviceLane.Bounds(Duration.ofMillis(boundMs), Duration.ofMillis(buildMs));
    return new DeviceLane("sim0", () -> true, bounds, failed);
  }

  private Future<Integer> call(ControlLane lane, Runnable operation) {
    return callers.submit(
        () -> assertThrows(DriverException.class, () -> lane.run("test", operation)).code());
  }

  /** Also when what a call comes to cannot be told. */
  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void whoPostedACallHearsOfItsEnd(Throwable thrown) throws Exception {
    DeviceLane lane = lane(60_000, cause -> Thrown.raise(thrown));
    BlockingQueue<DriverException> heard = new LinkedBlockingQueue<>();
    lane.post("test", () -> Thrown.raise(thrown), heard::add);
    assertEquals(Errno.EIO, heard.take().code());
    lane.post(
        "test",
        () -> {
          throw new DriverException(Errno.ENODEV, "gone");
        },
        heard::add);
    assertEquals(Errno.EIO, heard.take().code());
    lane.abort();
  }

  @Test
  void aBuildHasMoreTimeAndSoHasWhatWaitsBehindIt() throws Exception {
    DeviceLane lane = lane(1, 60_000, failures::add);
    Future<String> built =
        callers.submit(
            () ->
                lane.build(
                    "test",
                    1,
                    () -> {
                      hung.run();
                      return "built";
                    }));
    hung.awaitEntered();
    Future<String> behind = callers.submit(() -> lane.call("test", () -> "called"));
    assertThrows(TimeoutException.class, () -> behind.get(20, TimeUnit.MILLISECONDS));
    hung.release();
    assertEquals("built", built.get());
    assertEquals("called", behind.get());
    assertTrue(failures.isEmpty(), failures::toString);
    lane.abort();
  }

  @Test
  void aBuildThatDoesNotReturnFailsTheDevice() {
    DeviceLane lane = lane(1, 20, failures::add);
    DriverException refused =
        assertThrows(
            DriverException.class,
            () ->
                lane.build(
                    "test",
                    2,
                    () -> {
                      hung.run();
                      return 0;
                    }));
    assertEquals(Errno.ETIMEDOUT, refused.code());
    assertTrue(refused.getMessage().contains("within 41 ms"), refused.getMessage());
    assertEquals(RecoveryCause.Kind.HANG, failures.remove().kind());
    lane.abort();
  }

  /** The interrupt and the abort reach a call in no certain order: hence so often. */
  @Test
  void aCallThatIsAbortedNeverEndsWithWhatItsInterruptMadeOfIt() throws Exception {
    for (int i = 0; i < 1000; i++) {
      DeviceLane lane = lane(60_000, failures::add);
      CountDownLatch entered = new CountDownLatch(1);
      CountDownLatch never = new CountDownLatch(1);
      Future<Integer> code =
          call(
              lane,
              () -> {
                entered.countDown();
                try {
                  never.await();
                } catch (InterruptedException e) {
                  throw new DriverException(Errno.ECANCELED, "interrupted");
                }
              });
      entered.await();
      lane.abort();
      assertEquals(Errno.EINTR, code.get());
    }
    assertTrue(failures.isEmpty(), failures::toString);
  }

  @Test
  void aCallThatDoesNotReturnFailsTheDevice() throws Exception {
    DeviceLane lane = lane(100, failures::add);
    assertEquals(Errno.ETIMEDOUT, call(lane, hung).get());
    assertEquals(RecoveryCause.Kind.HANG, failures.remove().kind());
    lane.abort();
  }

  @Test
  void whoIsToldOfAPostThrowsForHimself() throws Exception {
    DeviceLane lane = lane(1000, failures::add);
    CompletableFuture<Thread> told = new CompletableFuture<>();
    AtomicInteger times = new AtomicInteger();
    lane.post(
        "test",
        () -> {},
        failure -> {
          times.incrementAndGet();
          boolean ignored = told.complete(Thread.currentThread());
          throw new DriverException(Errno.ETIMEDOUT, "the agent is stuck");
        });
    told.get().join();
    assertEquals(1, times.get());
    lane.close();
  }

  @Test
  void whoeverWaitsWhenTheDeviceGoesInOrderIsToldAndNobodyElseIsBlamed() throws Exception {
    DeviceLane lane = lane(60_000, failures::add);
    Future<Integer> inside = call(lane, hung);
    hung.awaitEntered();
    assertFalse(lane.hung());
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    Future<Integer> queued = call(lane, () -> ran.complete(true));
    lane.close();
    assertTrue(lane.hung());
    assertEquals(Errno.EINTR, inside.get());
    assertEquals(Errno.EINTR, queued.get());
    assertEquals(Errno.EINTR, call(lane, () -> {}).get());
    assertTrue(failures.isEmpty(), failures::toString);
    assertTrue(!ran.isDone());
    hung.release();
    lane.awaitReturn();
    assertFalse(lane.hung(), "it has returned late");
  }

  @Test
  void aCallFromWithinACallIsRefusedAndTheLaneGoesOn() {
    DeviceLane lane = lane(60_000, failures::add);
    DriverException refused =
        lane.call(
            "outer", () -> assertThrows(DriverException.class, () -> lane.call("inner", () -> 0)));
    assertEquals(Errno.EDEADLK, refused.code());
    assertTrue(refused.getMessage().contains("sim0: inner"), refused.getMessage());
    assertEquals(1, lane.call("test", () -> 1));
    lane.abort();
  }

  @Test
  void aDeviceThatIsGoneFailsUnlessItsEndIsKnown() {
    DeviceLane lane = lane(60_000, failures::add);
    Runnable gone =
        () -> {
          throw new DriverException(Errno.ENODEV, "the cable was pulled");
        };
    assertEquals(
        Errno.EINTR, assertThrows(DriverException.class, () -> lane.run("allocate", gone)).code());
    RecoveryCause told = failures.remove();
    assertEquals(RecoveryCause.Kind.CRASH, told.kind());
    assertEquals("allocate: the cable was pulled", told.text());
    lane.abort();
    DeviceLane dead =
        new DeviceLane(
            "sim0", () -> false, DeviceLane.Bounds.of(Duration.ofSeconds(60)), failures::add);
    assertEquals(
        Errno.EINTR, assertThrows(DriverException.class, () -> dead.run("free", gone)).code());
    assertTrue(failures.isEmpty(), failures::toString);
    dead.abort();
  }

  @Test
  void whoTakesTheDeviceAwayFindsThatTheDriverHasReturned() throws Exception {
    DeviceLane lane = lane(60_000, failures::add);
    CompletableFuture<Boolean> returned = new CompletableFuture<>();
    Future<Integer> inside =
        call(
            lane,
            () -> {
              hung.run();
              returned.complete(true);
            });
    hung.awaitEntered();
    lane.abort();
    assertEquals(Errno.EINTR, inside.get(), "its caller does not wait");
    Future<Boolean> taken =
        callers.submit(
            () -> {
              lane.awaitReturn();
              return returned.isDone();
            });
    assertThrows(TimeoutException.class, () -> taken.get(20, TimeUnit.MILLISECONDS));
    hung.release();
    assertTrue(taken.get());
  }
}
