package io.isle.core.drivers.supervision;

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
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.FakeDriver;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.recovery.Supervision;
import io.isle.core.drivers.session.HungCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is asked of a device, with a driver that does as it is told. */
class DeviceSupervisorTest extends DeviceSupervisorFixture {
  @Test
  void theFirstOpeningIsNoRecovery() {
    device.apply(driver, Rig.spec(1, Map.of())).join();
    assertEquals(List.of("attach", "open 1 {}", "rebuild 1", "thaw", "proven 1"), rig.calls());
    assertEquals(List.of(), rig.book.of("x0"));
    assertEquals(DeviceState.ACTIVE, rig.reports().getLast().state());
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

  /** It would not hear of that before its call has returned, or is given up. */
  @Test
  void aProcessThatHangsInACallIsNotAskedToClose() throws Exception {
    driver.hosted = true;
    open();
    HungCall hung = new HungCall();
    CompletableFuture<DriverException> heard = new CompletableFuture<>();
    rig.attachment().newest.lane().post("test", hung, heard::complete);
    hung.awaitEntered();
    device.reload(driver, Rig.spec(1, Map.of())).join();
    assertTrue(rig.calls().contains("kill"), () -> rig.calls().toString());
    assertEquals(Errno.EINTR, heard.get().code());
    hung.release();
    rig.calls.clear();
    device.reload(driver, Rig.spec(1, Map.of())).join();
    assertTrue(rig.calls().contains("close"), () -> rig.calls().toString());
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
        "opening 2 fails; the last good settings stay in force instead of {k=bad}", report.error());
    assertEquals(Map.of(), report.running().orElseThrow().spec().settings());
    assertTrue(rig.calls().containsAll(List.of("open 1 {k=bad}", "open 1 {}")));
    assertFalse(rig.calls().contains("lose"));
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
            rig.tuning.participant(),
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

  @Test
  void whoWaitsForADeviceHearsOfTheEndAlsoWhenTheNextRequestIsRefused() throws Exception {
    Duration hour = Duration.ofHours(1);
    rig.tuning =
        new DriverTuning(false, hour, hour, hour, new Supervision.Limits(9, hour, hour, 3, hour));
    DeviceSupervisor waiting = rig.supervisor();
    driver.fails(1, Errno.ENODEV);
    CompletableFuture<Void> opened = waiting.apply(driver, Rig.spec(1, Map.of()));
    DeviceReport ignored = rig.await(report -> report.error().endsWith("trying again"));
    rig.attachmentCalls =
        what -> {
          throw new DriverException(Errno.EIO, "the attachment refuses");
        };
    assertThrows(CompletionException.class, () -> waiting.port(null).join());
    opened.get(60, TimeUnit.SECONDS);
    rig.attachmentCalls = what -> {};
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
