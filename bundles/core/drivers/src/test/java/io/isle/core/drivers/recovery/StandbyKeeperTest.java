package io.isle.core.drivers.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.FakeDriver;
import io.isle.core.drivers.driver.FakeStandby;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.threads.Background;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StandbyKeeperTest {
  private final DriverHandle driver = new FakeDriver("1", call -> {});
  private final Background background = new Background();
  private final Semaphore changes = new Semaphore(0);
  private final StandbyKeeper keeper =
      new StandbyKeeper("x0", background, Duration.ofSeconds(60), changes::release);

  @AfterEach
  void close() {
    keeper.drop();
    background.close();
  }

  private void awaitChange() throws InterruptedException {
    assertTrue(changes.tryAcquire(60, TimeUnit.SECONDS));
  }

  @Test
  void aReadyHostIsGivenAwayOnceAndWarm() throws Exception {
    FakeStandby host = new FakeStandby(7);
    keeper.want(driver, 2, () -> Optional.of(host));
    awaitChange();
    assertEquals(Optional.of(7L), keeper.pid());
    StandbyKeeper.Taken taken = keeper.take(driver, 2).orElseThrow();
    assertSame(host, taken.standby());
    assertTrue(taken.warm());
    assertEquals(Optional.empty(), keeper.pid());
    assertTrue(keeper.take(driver, 2).isEmpty());
    assertFalse(host.closed);
  }

  @Test
  void aHostOnItsWayIsWaitedFor() throws Exception {
    FakeStandby host = new FakeStandby(7);
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(1);
    keeper.want(
        driver,
        2,
        () -> {
          started.countDown();
          await(latch);
          return Optional.of(host);
        });
    assertTrue(started.await(60, TimeUnit.SECONDS));
    AtomicReference<StandbyKeeper.Taken> got = new AtomicReference<>();
    Thread taker = Thread.ofPlatform().start(() -> got.set(keeper.take(driver, 2).orElseThrow()));
    while (taker.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    latch.countDown();
    taker.join();
    StandbyKeeper.Taken taken = got.get();
    assertSame(host, taken.standby());
    assertFalse(taken.warm());
  }

  @Test
  void oneThatDiesIsClosedAndReplaced() throws Exception {
    AtomicInteger started = new AtomicInteger();
    FakeStandby first = new FakeStandby(0);
    keeper.want(
        driver,
        2,
        () -> Optional.of(started.getAndIncrement() == 0 ? first : new FakeStandby(started.get())));
    awaitChange();
    first.die();
    awaitChange();
    awaitChange();
    assertEquals(Optional.of(2L), keeper.pid());
    keeper.drop();
    background.close();
    assertTrue(first.closed);
  }

  @Test
  void oneThatDiesBeforeItIsKeptIsReplacedToo() throws Exception {
    AtomicInteger started = new AtomicInteger();
    Supplier<Optional<Standby>> source =
        () -> {
          FakeStandby host = new FakeStandby(started.incrementAndGet());
          host.alive = started.get() > 1;
          return Optional.of(host);
        };
    keeper.want(driver, 2, source);
    while (keeper.pid().isEmpty()) {
      awaitChange();
    }
    assertEquals(Optional.of(2L), keeper.pid());
  }

  @Test
  void oneThatDoesNotStartIsTriedAgain() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    keeper.want(
        driver,
        2,
        () -> {
          if (tries.getAndIncrement() == 0) {
            throw new DriverException(Errno.ENODEV, "it does not start");
          }
          return Optional.of(new FakeStandby(9));
        });
    while (keeper.pid().isEmpty()) {
      awaitChange();
    }
    assertEquals(2, tries.get());
  }

  @Test
  void aDroppedHostIsEndedAndNoOtherIsStarted() throws Exception {
    FakeStandby host = new FakeStandby(7);
    keeper.want(driver, 2, () -> Optional.of(host));
    awaitChange();
    keeper.drop();
    assertTrue(host.closed);
    assertTrue(keeper.take(driver, 2).isEmpty());
  }

  @Test
  void aPromotedHostThatDiesIsNotTheKeepersBusiness() throws Exception {
    FakeStandby host = new FakeStandby(7);
    keeper.want(driver, 2, () -> Optional.of(host));
    awaitChange();
    StandbyKeeper.Taken ignored = keeper.take(driver, 2).orElseThrow();
    host.die();
    assertEquals(0, changes.availablePermits());
    assertFalse(host.closed);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aHostThatHasLoadedAnotherVersionIsNoStandbyOfThisOne() throws Exception {
    FakeStandby host = new FakeStandby(7);
    keeper.want(driver, 2, () -> Optional.of(host));
    awaitChange();
    assertTrue(keeper.take(new FakeDriver("2", call -> {}), 2).isEmpty());
    assertTrue(host.closed);
  }

  @Test
  void aDriverThatIsLoadedInAnotherTierIsNoStandbyOfThisOne() throws Exception {
    FakeStandby host = new FakeStandby(7);
    keeper.want(driver, 2, () -> Optional.of(host));
    awaitChange();
    assertTrue(keeper.take(driver, 1).isEmpty());
    assertTrue(host.closed);
  }

  @Test
  void oneOfAnotherVersionTakesThePlaceOfTheOneThatWaits() throws Exception {
    FakeStandby first = new FakeStandby(7);
    keeper.want(driver, 2, () -> Optional.of(first));
    awaitChange();
    FakeStandby second = new FakeStandby(8);
    FakeDriver next = new FakeDriver("2", call -> {});
    keeper.want(next, 2, () -> Optional.of(second));
    assertTrue(first.closed);
    awaitChange();
    keeper.want(next, 2, () -> Optional.of(first));
    assertEquals(Optional.of(8L), keeper.pid());
    assertSame(second, keeper.take(next, 2).orElseThrow().standby());
  }
}
