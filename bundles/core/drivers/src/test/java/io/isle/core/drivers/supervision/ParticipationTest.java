package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessionListener;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.Vitals;
import io.isle.core.drivers.session.HungCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Subsystems that take part in what befalls a device, and those that only hear of it. */
@Timeout(60)
class ParticipationTest extends DeviceSupervisorFixture {
  private final Seen seen = new Seen();

  /** Says what it is called for, among what is done to the device. */
  private final class Seen implements RecoveryParticipant, DeviceSessionListener {
    final List<DeviceSession> sessions = new ArrayList<>();
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private void see(String phase, Recovering of) {
      rig.call("- " + phase + " " + of.epoch() + (of.first() ? " first" : ""));
    }

    private void see(String phase, Recovering of, DeviceSession session) {
      see(phase, of);
      assertEquals("x0", session.id());
      assertTrue(session.has(PowerControl.class));
      assertEquals(
          Errno.ENOTSUP,
          assertThrows(DriverException.class, () -> session.call(Vitals.class, Vitals::power))
              .code(),
          "the driver can be asked");
      sessions.add(session);
    }

    @Override
    public void drain(Recovering of, DeviceSession session) {
      see("drain", of, session);
    }

    @Override
    public void freeze(Recovering of) {
      see("freeze", of);
    }

    @Override
    public void fail(Recovering of) {
      see("fail", of);
    }

    @Override
    public void revoke(Recovering of) {
      see("revoke", of);
    }

    @Override
    public void reset(Recovering of) {
      see("reset", of);
    }

    @Override
    public void open(Recovering of, DeviceSession session) {
      see("open", of, session);
    }

    @Override
    public void rebuild(Recovering of, DeviceSession session) {
      see("rebuild", of, session);
    }

    @Override
    public void thaw(Recovering of, DeviceSession session) {
      see("thaw", of, session);
    }

    @Override
    public void takenBack(Recovering of) {
      see("taken back", of);
    }

    @Override
    public void opened(DeviceSession session) {
      told.add("opened " + session.epoch());
    }

    @Override
    public void replaced(DeviceSession before, DeviceSession now) {
      told.add("replaced " + before.epoch() + " by " + now.epoch());
    }

    @Override
    public void closed(DeviceSession session) {
      told.add("closed " + session.epoch());
    }
  }

  private static int code(DeviceSession session) {
    return assertThrows(DriverException.class, () -> session.call(Vitals.class, Vitals::power))
        .code();
  }

  /** A tenant whose work succeeds may call the device at once. */
  @Test
  void aDeviceTakesCallsBeforeItsContextsGoOn() {
    List<Integer> found = new ArrayList<>();
    rig.attachmentCalls =
        what -> {
          if (what.equals("thaw")) {
            DeviceSession session = rig.sessions.find("x0").orElseThrow();
            assertEquals(Errno.ENOTSUP, code(session), "the driver can be asked");
            found.add(session.epoch());
          }
        };
    device.apply(driver, Rig.spec(1, Map.of())).join();
    assertEquals(List.of(1), found);
  }

  /** Contexts could not go on: nothing can be called either. */
  @Test
  void aDeviceWhoseThawFailedTakesNoCalls() {
    rig.attachmentCalls =
        what -> {
          if (what.equals("thaw")) {
            rig.attachmentCalls = ignored -> {};
            throw new DriverException(Errno.EIO, "planned");
          }
        };
    List<DeviceSession> open = new ArrayList<>();
    device.apply(driver, Rig.spec(1, Map.of())).join();
    rig.sessions.find("x0").ifPresent(open::add);
    assertTrue(open.stream().allMatch(session -> session.epoch() > 1), open::toString);
  }

  @Test
  void aFirstOpeningHasThePhasesFromResetOnAndAClosingThoseToRevoke() throws Exception {
    join(seen);
    rig.sessions.add(seen);
    device.apply(driver, Rig.spec(1, Map.of())).join();
    assertEquals(
        List.of(
            "attach",
            "- reset 0 first",
            "open 1 {}",
            "- open 1 first",
            "rebuild 1",
            "- rebuild 1 first",
            "thaw",
            "- thaw 1 first",
            "proven 1"),
        rig.calls());
    assertEquals("opened 1", seen.told.take());
    assertEquals(1, rig.sessions.find("x0").orElseThrow().epoch());
    rig.calls.clear();
    device.remove().join();
    assertEquals(
        List.of(
            "pause",
            "- drain 1",
            "freeze settings",
            "- freeze 1",
            "fail",
            "- fail 1",
            "close",
            "- revoke 1",
            "close"),
        rig.calls());
    assertEquals("closed 1", seen.told.take());
    assertEquals(List.of(), rig.sessions.list());
    assertEquals(Errno.ENODEV, code(seen.sessions.getFirst()));
  }

  @Test
  void aRecoveryIsSeenPhaseByPhaseEachAfterTheOwnerOfContexts() throws Exception {
    join(seen);
    rig.sessions.add(seen);
    open();
    driver.lose(Kind.CRASH, "signal 11");
    var ignored = recovered(1);
    assertEquals(
        List.of(
            "freeze crash",
            "- freeze 1",
            "fail",
            "- fail 1",
            "kill",
            "- revoke 1",
            "- reset 1",
            "open 1 {}",
            "reset",
            "- open 2",
            "rebuild 2",
            "- rebuild 2",
            "thaw",
            "- thaw 2",
            "proven 1"),
        rig.calls());
    assertEquals("opened 1", seen.told.take());
    assertEquals("replaced 1 by 2", seen.told.take());
    assertEquals(Errno.ESTALE, code(seen.sessions.getFirst()));
    assertTrue(seen.sessions.getLast().alive());
  }

  @Test
  void anAttemptThatHadBegunIsTakenBackAndTheNextOneBeginsWithReset() throws Exception {
    join(seen);
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
    var ignored = recovered(1);
    assertEquals(
        List.of(
            "- reset 1",
            "open 1 {}",
            "reset",
            "- open 2",
            "rebuild 2",
            "- rebuild 2",
            "freeze crash",
            "fail",
            "kill",
            "- taken back 2",
            "- reset 2",
            "open 1 {}",
            "reset",
            "- open 3",
            "rebuild 3",
            "- rebuild 3",
            "thaw",
            "- thaw 3",
            "proven 1"),
        rig.calls().subList(6, rig.calls().size()));
  }

  @Test
  void oneThatDoesNotReturnIsOvertakenAndTheDeviceComesBack() throws Exception {
    HungCall hung = new HungCall(() -> rig.call("interrupted"));
    join(
        new RecoveryParticipant() {
          @Override
          public void freeze(Recovering of) {
            hung.run();
          }
        });
    open();
    rig.tuning =
        new io.isle.core.drivers.recovery.DriverTuning(
            false,
            rig.tuning.drain(),
            rig.tuning.hang(),
            java.time.Duration.ofMillis(20),
            rig.tuning.supervision());
    driver.lose(Kind.CRASH, "signal 9");
    assertEquals(2, recovered(1).toEpoch());
    driver.lose(Kind.CRASH, "signal 9");
    assertEquals(3, recovered(2).toEpoch());
    hung.release();
  }

  @Test
  void oneThatComesLateIsToldOfTheOpenDevice() {
    open();
    join(seen);
    assertEquals(List.of("- open 1 first", "- rebuild 1 first", "- thaw 1 first"), rig.calls());
    device.suspend().join();
    assertTrue(rig.sessions.find("x0").isPresent(), "one that is suspended is open");
    assertEquals(Errno.ENOTSUP, code(seen.sessions.getFirst()));
  }

  @Test
  void aDeviceThatIsGivenUpIsClosedForThoseWhoHear() throws Exception {
    rig.sessions.add(seen);
    open();
    DeviceSession first = rig.sessions.find("x0").orElseThrow();
    driver.fails(3, Errno.ENODEV);
    driver.lose(Kind.CRASH, "signal 9");
    var ignored = rig.await(now -> now.state() == DeviceState.FAILED);
    assertEquals("opened 1", seen.told.take());
    assertEquals("closed 1", seen.told.take());
    assertEquals(Errno.ENODEV, code(first));
    assertFalse(first.alive());
    device.reload(driver, Rig.spec(1, Map.of())).join();
    assertTrue(seen.told.take().startsWith("opened "));
    assertEquals(Errno.ESTALE, code(first));
  }

  @Test
  void aControlCallThatDoesNotReturnIsACauseAndItsCallerHearsSo() throws Exception {
    open();
    rig.attachment().controlBound = java.time.Duration.ofMillis(20);
    device.reload(driver, Rig.spec(1, Map.of())).join();
    DeviceSession session = rig.sessions.find("x0").orElseThrow();
    CountDownLatch release = new CountDownLatch(1);
    int code =
        assertThrows(
                DriverException.class,
                () ->
                    session.call(
                        Vitals.class,
                        vitals -> {
                          await(release);
                          return 0;
                        }))
            .code();
    assertEquals(Errno.ETIMEDOUT, code);
    assertEquals(Kind.HANG, recovered(2).cause().kind());
    release.countDown();
  }
}
