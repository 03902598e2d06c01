package io.isle.core.drivers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.device.RecoveryParticipant;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.Running;
import io.isle.api.driver.DriverException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What befalls a device and what is asked of it, with a driver that does as it is told. */
class DeviceSupervisorTest {
  private final Rig rig = new Rig(Rig.QUICK);
  private final FakeDriver driver = new FakeDriver("1", rig::call);
  private final DeviceSupervisor device = rig.supervisor();

  @AfterEach
  void close() {
    device.remove().exceptionally(gone -> null).join();
    rig.close();
  }

  private void open() {
    device.apply(driver, Rig.spec(1, Map.of())).join();
    rig.calls.clear();
  }

  private Recovery recovered(int number) throws InterruptedException {
    DeviceReport ignored = rig.await(report -> rig.book.of("x0").size() == number);
    return rig.book.of("x0").getLast();
  }

  private List<String> tail(int count) {
    List<String> calls = rig.calls();
    return calls.subList(Math.max(0, calls.size() - count), calls.size());
  }

  @Test
  void theFirstOpeningIsNoRecovery() {
    device.apply(driver, Rig.spec(1, Map.of())).join();
    assertEquals(List.of("plug", "open 1 {}", "rebuild 1", "thaw", "proven 1"), rig.calls());
    assertEquals(List.of(), rig.book.of("x0"));
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
  }

  @Test
  void aCrashGoesThroughThePhasesInOrder() throws Exception {
    open();
    rig.participants.add(
        new RecoveryParticipant() {
          @Override
          public void freeze(Recovering of) {
            rig.call("also freeze " + of.epoch());
            throw new IllegalStateException("a participant that fails stops nothing");
          }

          @Override
          public void rebuild(Recovering of) {
            rig.call("also rebuild " + of.epoch());
          }
        });
    driver.lose(Kind.CRASH, "signal 11");
    Recovery recovery = recovered(1);
    assertEquals(
        List.of(
            "freeze crash",
            "also freeze 1",
            "fail",
            "kill",
            "open 1 {}",
            "reset",
            "rebuild 2",
            "also rebuild 2",
            "thaw",
            "proven 1"),
        rig.calls());
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
    assertEquals("signal 11", recovery.cause().text());
    assertTrue(rig.reports().stream().anyMatch(report -> report.state() == DeviceState.RECOVERING));
  }

  @Test
  void theNextVersionIsLoadedWhileTheOldOneIsDrained() {
    open();
    FakeDriver next = new FakeDriver("2", rig::call);
    FakeStandby loaded = new FakeStandby(7);
    CountDownLatch loading = new CountDownLatch(1);
    next.standby =
        () -> {
          loading.countDown();
          return Optional.of(loaded);
        };
    rig.plugged =
        what -> {
          if (what.equals("pause")) {
            await(loading);
          }
        };
    device.apply(next, Rig.spec(1, Map.of())).join();
    assertEquals(Optional.of(loaded), next.last.standby());
    assertFalse(loaded.closed);
  }

  @Test
  void aReloadDrainsSavesAndKeepsPendingWork() {
    open();
    device.reload(driver, Rig.spec(1, Map.of())).join();
    assertEquals(
        List.of(
            "pause",
            "save",
            "freeze reload",
            "fail, keeping",
            "close",
            "open 1 {}",
            "rebuild 2",
            "unpause",
            "thaw",
            "proven 1"),
        rig.calls());
    assertEquals(Recovery.Phase.DRAIN, rig.book.of("x0").getFirst().phases().getFirst().phase());
  }

  @Test
  void aResetInterruptsAsACrashDoes() {
    open();
    device.reset(driver, Rig.spec(1, Map.of())).join();
    assertEquals(
        List.of(
            "freeze reset", "fail", "kill", "open 1 {}", "reset", "rebuild 2", "thaw", "proven 1"),
        rig.calls());
  }

  @Test
  void attemptsThatFailAreTriedAgainAndCounted() throws Exception {
    open();
    driver.fails(2, Errno.ENODEV);
    driver.lose(Kind.CRASH, "signal 9");
    Recovery recovery = recovered(1);
    assertEquals(3, recovery.attempts());
    assertEquals(4, recovery.toEpoch());
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
    assertFalse(rig.calls().contains("lose"));
  }

  @Test
  void afterTooManyFailedAttemptsItIsFailedAndAReloadOpensItAgain() throws Exception {
    open();
    driver.fails(3, Errno.ENODEV);
    driver.lose(Kind.CRASH, "signal 9");
    Recovery recovery = recovered(1);
    assertEquals(Recovery.Outcome.FAILED, recovery.outcome());
    DeviceReport report = rig.await(now -> now.state() == DeviceState.FAILED);
    assertTrue(report.error().endsWith("run 'driver:reload x0'"), report.error());
    assertEquals("lose", rig.calls().getLast());
    device.reload(driver, Rig.spec(1, Map.of())).join();
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
  }

  @Test
  void aCauseInMidRecoveryFailsThatAttemptAndCounts() throws Exception {
    open();
    boolean[] once = {false};
    rig.rebuilding =
        now -> {
          if (!once[0]) {
            once[0] = true;
            rig.plug().failure.accept(new RecoveryCause(Kind.TIMEOUT, "stuck while rebuilding"));
          }
        };
    driver.lose(Kind.CRASH, "signal 9");
    Recovery recovery = recovered(1);
    assertEquals(2, recovery.attempts());
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
    assertEquals(
        List.of("rebuild 2", "freeze crash", "fail", "kill", "open 1 {}", "reset", "rebuild 3"),
        rig.calls().subList(5, 12));
    assertEquals(1, rig.book.of("x0").size(), "the late cause is about an opening that is over");
  }

  @Test
  void aCauseRightAfterARecoveryIsNotLost() throws Exception {
    open();
    CountDownLatch thawing = new CountDownLatch(1);
    rig.participants.add(
        new RecoveryParticipant() {
          @Override
          public void thaw(Recovering of) {
            if (of.epoch() == 2) {
              driver.lose(Kind.CRASH, "again");
              thawing.countDown();
            }
          }
        });
    driver.lose(Kind.CRASH, "first");
    assertTrue(thawing.await(60, TimeUnit.SECONDS));
    Recovery second = recovered(2);
    assertEquals("again", second.cause().text());
    assertEquals(3, second.toEpoch());
  }

  @Test
  void whatTheCoreComplainsOfIsACauseToo() throws Exception {
    open();
    rig.plug().failure.accept(new RecoveryCause(Kind.TIMEOUT, "work stayed on the engine"));
    assertEquals(Kind.TIMEOUT, recovered(1).cause().kind());
  }

  @Test
  void breachesOfTheProtocolEndInQuarantineUntilItIsReloaded() throws Exception {
    open();
    for (int i = 1; i <= 3; i++) {
      driver.lose(Kind.PROTOCOL, "nonsense " + i);
      Recovery ignored = recovered(i);
    }
    DeviceReport report =
        rig.await(now -> now.state() == DeviceState.QUARANTINED && !now.error().isEmpty());
    assertTrue(report.error().startsWith("nonsense 3"), report.error());
    assertEquals(Recovery.Outcome.QUARANTINED, rig.book.of("x0").getLast().outcome());
    assertEquals(List.of("freeze protocol", "fail", "kill", "lose"), tail(4));
    device.reload(driver, Rig.spec(1, Map.of())).join();
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
    driver.lose(Kind.PROTOCOL, "nonsense");
    assertEquals(Recovery.Outcome.RECOVERED, recovered(5).outcome());
  }

  @Test
  void aCrashWhileItIsSuspendedRecoversAndStaysSuspended() throws Exception {
    open();
    device.suspend().join();
    assertEquals(List.of("pause", "power 1"), rig.calls());
    driver.lose(Kind.CRASH, "signal 9");
    Recovery ignored = recovered(1);
    DeviceReport report = rig.await(now -> now.epoch() == 2);
    assertEquals(DeviceState.SUSPENDED, report.state());
    assertEquals(List.of("rebuild 2", "pause", "power 1", "thaw", "proven 1"), tail(5));
    device.resume().join();
    assertEquals(List.of("power 0", "unpause"), tail(2));
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
    CompletionException refused =
        assertThrows(CompletionException.class, () -> device.resume().join());
    assertEquals(Errno.EINVAL, assertInstanceOf(DriverException.class, refused.getCause()).code());
  }

  @Test
  void aSuspendedDeviceThatIsNotOpenNowCanBeResumed() throws Exception {
    open();
    device.suspend().join();
    driver.fails(9, Errno.EIO);
    driver.lose(Kind.CRASH, "it died");
    DeviceReport ignored = rig.await(report -> report.state() == DeviceState.FAILED);
    device.resume().join();
    driver.openings.clear();
    device.reload(driver, Rig.spec(1, Map.of())).join();
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
    assertThrows(CompletionException.class, () -> device.resume().join());
  }

  @Test
  void aDeviceThatIsNotOpenCannotBeSuspended() {
    driver.fails(1, Errno.EINVAL);
    device.apply(driver, Rig.spec(1, Map.of())).join();
    CompletionException refused =
        assertThrows(CompletionException.class, () -> device.suspend().join());
    assertEquals(Errno.ENODEV, assertInstanceOf(DriverException.class, refused.getCause()).code());
  }

  @Test
  void settingsThatTheDriverRefusesLeaveTheLastGoodOnesInForce() {
    open();
    driver.fails(1, Errno.EINVAL);
    device.apply(driver, Rig.spec(1, Map.of("k", "bad"))).join();
    DeviceReport report = rig.reports().getLast();
    assertEquals(DeviceState.ACTIVE, report.state());
    assertEquals(
        "opening 2 fails; the last good settings stay in force, not {k=bad}", report.error());
    assertEquals(Map.of(), report.running().orElseThrow().spec().settings());
    assertTrue(rig.calls().containsAll(List.of("open 1 {k=bad}", "open 1 {}")));
    assertFalse(rig.calls().contains("lose"));
  }

  @Test
  void settingsThatAVersionThatWorksHereRefusesAreNoReasonToLeaveIt() {
    driver.older = Optional.of(new FakeDriver("0", rig::call));
    open();
    driver.fails(1, Errno.EINVAL);
    device.apply(driver, Rig.spec(1, Map.of("k", "bad"))).join();
    assertEquals("1", rig.reports().getLast().running().orElseThrow().version());
    assertFalse(rig.calls().contains("open 0 {}"), rig.calls().toString());
  }

  @Test
  void aDefectInTheSearchForAnotherVersionEndsInFailureAndKeepsNobodyWaiting() throws Exception {
    driver.fails(3, Errno.EIO);
    driver.defect = new IllegalStateException("the test");
    device.apply(driver, Rig.spec(1, Map.of())).get(60, TimeUnit.SECONDS);
    DeviceReport report = rig.reports().getLast();
    assertEquals(DeviceState.FAILED, report.state());
    assertEquals("opening 3 fails; run 'driver:reload x0'", report.error());
    assertEquals("lose", rig.calls().getLast());
    device.reload(driver, Rig.spec(1, Map.of())).get(60, TimeUnit.SECONDS);
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
  }

  @Test
  void aDeviceIsOpenAlthoughItsVersionCannotBeKept() throws Exception {
    FakeDriver lost =
        new FakeDriver(
            "2",
            call -> {
              if (call.startsWith("proven")) {
                throw new IllegalStateException("the test");
              }
            });
    lost.fails(1, Errno.EIO);
    device.apply(lost, Rig.spec(1, Map.of())).get(60, TimeUnit.SECONDS);
    DeviceReport report = rig.reports().getLast();
    assertEquals(DeviceState.ACTIVE, report.state());
    assertEquals("", report.error());
    lost.lose(Kind.CRASH, "signal 9");
    assertEquals(Recovery.Outcome.RECOVERED, recovered(1).outcome());
  }

  @Test
  void contextsOutliveTheDriverAndTheNextOneEndsTheRecovery() {
    open();
    device.suspend().join();
    device.depart(new RecoveryCause(Kind.UPDATE, "updated")).join();
    assertEquals("detach", rig.calls().getLast());
    assertEquals(List.of(), rig.book.of("x0"));
    DeviceSupervisor next = rig.supervisor();
    next.apply(new FakeDriver("2", rig::call), Rig.spec(1, Map.of())).join();
    Recovery recovery = rig.book.of("x0").getFirst();
    assertEquals(Kind.UPDATE, recovery.cause().kind());
    assertEquals(Recovery.Phase.DRAIN, recovery.phases().getFirst().phase());
    assertEquals(Recovery.Phase.THAW, recovery.phases().getLast().phase());
    assertEquals(DeviceState.SUSPENDED, rig.reports().getLast().state());
    next.remove().join();
  }

  @Test
  void aVersionThatDoesNotOpenIsRolledBack() {
    FakeDriver broken = new FakeDriver("2", rig::call);
    broken.fails(9, Errno.EINVAL);
    broken.older = java.util.Optional.of(driver);
    DeviceSupervisor updated = rig.supervisor();
    updated.apply(broken, Rig.spec(1, Map.of())).join();
    DeviceReport report = rig.reports().getLast();
    assertEquals(DeviceState.ACTIVE, report.state());
    assertEquals("opening 1 fails; test 1 runs in the place of test 2", report.error());
    assertEquals(report.error(), updated.rollback());
    Running running = report.running().orElseThrow();
    assertEquals(
        List.of("1", "test 1", updated.rollback()),
        List.of(running.version(), running.source(), running.rollback()));
    updated.remove().join();
  }

  @Test
  void settingsThatTheOlderVersionRefusesTooLeaveTheLastGoodOnesInForce() {
    FakeDriver broken = new FakeDriver("2", rig::call);
    broken.fails(9, Errno.EINVAL);
    broken.older = java.util.Optional.of(driver);
    DeviceSupervisor updated = rig.supervisor();
    updated.apply(broken, Rig.spec(1, Map.of())).join();
    driver.fails(1, Errno.EINVAL);
    updated.apply(broken, Rig.spec(2, Map.of("k", "bad"))).join();
    DeviceReport report = rig.reports().getLast();
    assertEquals(DeviceState.ACTIVE, report.state());
    assertEquals(
        "opening 5 fails; test 1 runs in the place of test 2; the last good settings stay in"
            + " force, not {k=bad, tier=2}",
        report.error());
    assertEquals(1, report.running().orElseThrow().spec().tier());
    updated.remove().join();
  }

  @Test
  void aCrashOfTheOldVersionIsRecoveredOnTheOldVersion() throws Exception {
    FakeDriver broken = new FakeDriver("2", rig::call);
    broken.fails(9, Errno.EINVAL);
    broken.older = java.util.Optional.of(driver);
    DeviceSupervisor updated = rig.supervisor();
    updated.apply(broken, Rig.spec(1, Map.of())).join();
    rig.calls.clear();
    driver.lose(Kind.CRASH, "signal 9");
    assertEquals(1, recovered(1).attempts());
    assertFalse(rig.calls().contains("open 2 {}"));
    updated.remove().join();
  }

  @Test
  void aDeviceThatTakesLongHoldsUpNoOther() throws Exception {
    open();
    CountDownLatch latch = new CountDownLatch(1);
    FakeDriver slow = new FakeDriver("slow", rig::call);
    slow.openings.add(request -> await(latch));
    DeviceSupervisor other = rig.supervisor();
    CompletableFuture<Void> opening = other.apply(slow, Rig.spec(1, Map.of()));
    driver.lose(Kind.CRASH, "signal 9");
    Recovery ignored = recovered(1);
    assertFalse(opening.isDone());
    latch.countDown();
    opening.join();
    other.remove().join();
  }

  @Test
  void itCanBeRemovedWhileItWaitsForTheNextAttempt() throws Exception {
    rig.tuning =
        new DriverTuning(
            false,
            rig.tuning.drain(),
            rig.tuning.hang(),
            new Supervision.Limits(
                100,
                java.time.Duration.ofHours(1),
                java.time.Duration.ofHours(1),
                3,
                java.time.Duration.ofHours(1)));
    device.tuned();
    open();
    driver.fails(9, Errno.ENODEV);
    driver.lose(Kind.CRASH, "signal 9");
    DeviceReport report =
        rig.await(now -> now.state() == DeviceState.RECOVERING && !now.error().isEmpty());
    assertTrue(report.error().endsWith("trying again"), report.error());
    device.remove().get(60, TimeUnit.SECONDS);
    assertEquals("close", rig.calls().getLast());
  }

  @Test
  void disablingLosesContextsAndEnablingOpensItAgain() {
    open();
    var enabled = Rig.spec(1, Map.of());
    device
        .apply(
            driver,
            new io.isle.api.driver.DeviceRegistry.DeviceSpec(
                "x0", enabled.seed(), 1, false, Map.of()))
        .join();
    assertEquals(DeviceState.DISABLED, rig.reports().getLast().state());
    assertEquals(List.of("pause", "freeze settings", "fail", "close", "lose"), rig.calls());
    device.apply(driver, enabled).join();
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
  }

  @Test
  void withoutAPlaceItSaysSo() {
    open();
    device.port(null).join();
    DeviceReport report = rig.reports().getLast();
    assertEquals(DeviceState.FAILED, report.state());
    assertEquals("the accelerator core is not running", report.error());
    device.port(rig).join();
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anotherVersionTakesOverWithContentsAndWork() throws Exception {
    open();
    FakeDriver next = new FakeDriver("2", rig::call);
    device.apply(next, Rig.spec(1, Map.of("k", "2"))).join();
    assertEquals(
        List.of(
            "pause",
            "save",
            "freeze update",
            "fail, keeping",
            "close",
            "open 2 {k=2}",
            "rebuild 2",
            "unpause",
            "thaw",
            "proven 2"),
        rig.calls());
    assertEquals(Kind.UPDATE, recovered(1).cause().kind());
    device.apply(next, Rig.spec(1, Map.of("k", "2"))).join();
    assertEquals(1, rig.book.of("x0").size(), "the same again changes nothing");
  }

  @Test
  void anotherVersionThatDoesNotOpenIsReplacedByTheOneBefore() throws Exception {
    open();
    FakeDriver next = new FakeDriver("2", rig::call);
    next.fails(3, Errno.EIO);
    next.older = Optional.of(driver);
    device.apply(next, Rig.spec(1, Map.of())).join();
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
    assertTrue(device.rollback().contains("test 1 runs in the place of test 2"), device.rollback());
  }

  @Test
  void whoWaitsForADeviceHearsOfTheEndAlsoWhenTheNextRequestIsRefused() throws Exception {
    Duration hour = Duration.ofHours(1);
    rig.tuning =
        new DriverTuning(false, hour, hour, new Supervision.Limits(9, hour, hour, 3, hour));
    DeviceSupervisor waiting = rig.supervisor();
    driver.fails(1, Errno.ENODEV);
    CompletableFuture<Void> opened = waiting.apply(driver, Rig.spec(1, Map.of()));
    DeviceReport ignored = rig.await(report -> report.error().endsWith("trying again"));
    rig.plugged =
        what -> {
          throw new DriverException(Errno.EIO, "the place says no");
        };
    assertThrows(CompletionException.class, () -> waiting.port(null).join());
    opened.get(60, TimeUnit.SECONDS);
    rig.plugged = what -> {};
    waiting.remove().join();
  }

  @Test
  void whatIsAskedBehindTheEndOpensNothing() {
    CountDownLatch latch = new CountDownLatch(1);
    driver.openings.add(request -> await(latch));
    CompletableFuture<Void> opening = device.apply(driver, Rig.spec(1, Map.of()));
    CompletableFuture<Void> going = device.depart(new RecoveryCause(Kind.UPDATE, "the test"));
    CompletableFuture<Void> late = device.apply(driver, Rig.spec(1, Map.of("k", "2")));
    latch.countDown();
    opening.join();
    going.join();
    CompletionException refused = assertThrows(CompletionException.class, late::join);
    assertEquals(Errno.ENODEV, ((DriverException) refused.getCause()).code());
    assertFalse(rig.calls().contains("open 1 {k=2}"), rig.calls().toString());
  }
}
