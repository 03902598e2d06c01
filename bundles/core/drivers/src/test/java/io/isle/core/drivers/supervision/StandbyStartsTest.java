package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.FakeDriver;
import io.isle.core.drivers.driver.FakeStandby;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.recovery.StandbyKeeper;
import io.isle.core.drivers.threads.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Standby hosts that take longer than anybody waits for them. */
class StandbyStartsTest {
  private final DriverHandle driver = new FakeDriver("1", call -> {});
  private final Background background = new Background();
  private final Semaphore changes = new Semaphore(0);
  private final List<Slow> starts = new ArrayList<>();
  private final StandbyKeeper hasty = keeper(Duration.ZERO);
  private final StandbyKeeper patient = keeper(Duration.ofSeconds(60));

  private StandbyKeeper keeper(Duration patience) {
    return new StandbyKeeper("x0", background, patience, changes::release);
  }

  /** A start that ends when a test says so. */
  private final class Slow implements Supplier<Optional<Standby>> {
    private final FakeStandby host;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    Slow(long pid) {
      host = new FakeStandby(pid);
      starts.add(this);
    }

    @Override
    public Optional<Standby> get() {
      begun.countDown();
      await(end);
      return Optional.of(host);
    }

    void finish() throws InterruptedException {
      end.countDown();
      assertTrue(changes.tryAcquire(60, TimeUnit.SECONDS));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() {
    starts.forEach(start -> start.end.countDown());
    hasty.drop();
    patient.drop();
    background.close();
  }

  private Slow begun(StandbyKeeper keeper, long pid) {
    Slow start = new Slow(pid);
    keeper.want(driver, 2, start);
    await(start.begun);
    return start;
  }

  @Test
  void oneThatIsNotWaitedForIsEndedAndTheNextIsKept() throws Exception {
    Slow late = begun(hasty, 1);
    assertTrue(hasty.take(driver, 2).isEmpty());
    Slow next = begun(hasty, 2);
    late.finish();
    assertTrue(late.host.closed);
    next.finish();
    assertEquals(Optional.of(2L), hasty.pid());
    assertSame(next.host, hasty.take(driver, 2).orElseThrow().standby());
    assertFalse(next.host.closed);
  }

  @Test
  void aLateOneThatEndsDoesNotHideTheStartBehindIt() throws Exception {
    Slow late = begun(hasty, 1);
    assertTrue(hasty.take(driver, 2).isEmpty());
    Slow next = begun(hasty, 2);
    late.finish();
    hasty.drop();
    next.finish();
    assertTrue(next.host.closed);
  }

  @Test
  void oneThatWasGivenUpIsNotGivenToTheNextWhoAsks() throws Exception {
    Slow late = begun(patient, 1);
    AtomicReference<Optional<StandbyKeeper.Taken>> got = new AtomicReference<>();
    Thread first = Thread.ofPlatform().start(() -> got.set(patient.take(driver, 2)));
    waits(first, Thread.State.TIMED_WAITING);
    first.interrupt();
    first.join();
    assertEquals(Optional.empty(), got.get());
    Thread second = Thread.ofPlatform().start(() -> got.set(patient.take(driver, 2)));
    waits(second, Thread.State.TIMED_WAITING);
    late.finish();
    second.join();
    assertEquals(Optional.empty(), got.get());
    assertTrue(late.host.closed);
  }

  /** Returns when it waits, or has ended. */
  private static void waits(Thread thread, Thread.State how) {
    while (thread.getState() != how && thread.isAlive()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void droppingWaitsForNobodyAndTheHostIsClosedOutsideTheLock() throws Exception {
    Slow late = begun(patient, 1);
    AtomicReference<Boolean> locked = new AtomicReference<>();
    late.host.closing = () -> locked.set(Thread.holdsLock(patient));
    long before = System.nanoTime();
    patient.drop();
    assertTrue(System.nanoTime() - before < TimeUnit.SECONDS.toNanos(30));
    late.finish();
    assertEquals(false, locked.get());
    assertTrue(late.host.closed);
  }

  @Test
  void aStartThatFailsByADefectIsTriedAgain() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    hasty.want(
        driver,
        2,
        () -> {
          if (tries.getAndIncrement() == 0) {
            throw new IllegalStateException("a defect");
          }
          return Optional.of(new FakeStandby(9));
        });
    while (hasty.pid().isEmpty()) {
      assertTrue(changes.tryAcquire(60, TimeUnit.SECONDS));
    }
    assertEquals(2, tries.get());
  }

  @Test
  void aPlaceIsClosedOnlyWhenNoStartPassesItsMemoryOn() {
    try (Rig rig = new Rig(Rig.QUICK)) {
      rig.tuning =
          new DriverTuning(
              true,
              rig.tuning.drain(),
              rig.tuning.hang(),
              rig.tuning.participant(),
              rig.tuning.supervision());
      FakeDriver driven = new FakeDriver("1", rig::call);
      Slow start = new Slow(1);
      driven.standby =
          () -> {
            Optional<Standby> host = start.get();
            rig.call("memory passed on");
            return host;
          };
      DeviceSupervisor device = rig.supervisor();
      device.apply(driven, Rig.spec(2, Map.of())).join();
      await(start.begun);
      CompletableFuture<Void> removed = device.remove();
      while (!removed.isDone() && !startsAreAwaited()) {
        Thread.onSpinWait();
      }
      start.end.countDown();
      removed.join();
      List<String> calls = rig.calls();
      assertEquals(
          List.of("memory passed on", "close"), calls.subList(calls.size() - 2, calls.size()));
    }
  }

  private static boolean startsAreAwaited() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getMethodName().equals("awaitStarts"));
  }
}
