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
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.RecoveryParticipant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What befalls a device, and how it recovers. */
class DeviceCrashTest extends DeviceSupervisorFixture {
  @Test
  void aCrashGoesThroughThePhasesInOrder() throws Exception {
    open();
    join(
        new RecoveryParticipant() {
          @Override
          public void freeze(Recovering of) {
            rig.call("also freeze " + of.epoch());
            throw new IllegalStateException("a participant that fails stops nothing");
          }

          @Override
          public void rebuild(Recovering of, DeviceSession session) {
            rig.call("also rebuild " + of.epoch());
          }
        });
    rig.calls.clear();
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
            rig.attachment()
                .failure
                .accept(new RecoveryCause(Kind.TIMEOUT, "stuck while rebuilding"));
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
    join(
        new RecoveryParticipant() {
          @Override
          public void thaw(Recovering of, DeviceSession session) {
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
    rig.attachment().failure.accept(new RecoveryCause(Kind.TIMEOUT, "work stayed on the engine"));
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
}
