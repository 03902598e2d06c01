package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.Running;
import io.isle.core.drivers.driver.FakeDriver;
import io.isle.core.drivers.driver.FakeStandby;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A device whose driver comes in several versions. */
class DeviceVersionsTest extends DeviceSupervisorFixture {
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
    rig.attachmentCalls =
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
    assertTrue(device.rollback().contains("test 1 runs instead of test 2"), device.rollback());
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
    assertEquals("opening 1 fails; test 1 runs instead of test 2", report.error());
    assertEquals(report.error(), updated.rollback());
    Running running = report.running().orElseThrow();
    assertEquals(
        List.of("1", "test 1", updated.rollback()),
        List.of(running.version(), running.source(), running.rollback()));
    updated.remove().join();
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
        "opening 5 fails; test 1 runs instead of test 2; the last good settings stay in force"
            + " instead of {k=bad, tier=2}",
        report.error());
    assertEquals(1, report.running().orElseThrow().spec().tier());
    updated.remove().join();
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
}
