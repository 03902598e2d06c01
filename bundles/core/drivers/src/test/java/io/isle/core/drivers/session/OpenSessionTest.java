package io.isle.core.drivers.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.Utilization;
import io.isle.api.driver.Vitals;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is lent of an open device, and what becomes of it. */
@Timeout(60)
class OpenSessionTest {
  private static final DeviceInfo INFO =
      new DeviceInfo(
          DeviceClass.GPU_COMPUTE,
          1,
          1 << 20,
          4,
          DeviceInfo.Preemption.NONE,
          4096,
          1,
          false,
          false,
          false,
          false);

  private final List<DeviceLane> lanes = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private final OpeningHistory history = new OpeningHistory();
  private boolean dead;

  @AfterEach
  void close() {
    lanes.forEach(DeviceLane::abort);
  }

  private final class Power implements PowerControl {
    @Override
    public Set<State> states() {
      return Set.of(State.D0_ACTIVE);
    }

    @Override
    public void enter(State state) {
      calls.add("enter on " + Thread.currentThread().getName());
    }
  }

  private final class Handlers implements HandlerUnits, Routed {
    @Override
    public HpuCaps caps() {
      return new HpuCaps(1, 2, 8, 16, 1, 1536, 40, new HpuLimits(1, 0, 0, 0));
    }

    @Override
    public void attach(long context, long program, long[] memories, HpuLimits limits) {
      throw new DriverException(Errno.EBUSY, "busy");
    }

    @Override
    public void detach(long context) {
      calls.add("detach on " + Thread.currentThread().getName());
    }

    @Override
    public HpuReport report(long context) {
      return new HpuReport(false, 0, false, Optional.empty(), 0, 0, 0);
    }
  }

  private AccelDevice device() {
    return (AccelDevice)
        Proxy.newProxyInstance(
            AccelDevice.class.getClassLoader(),
            new Class<?>[] {AccelDevice.class},
            (self, method, args) ->
                switch (method.getName()) {
                  case "info" -> INFO;
                  case "alive" -> !dead;
                  case "utilization" -> new Utilization(7, 0, 0, 1 << 20, 0, 0, 0, 0);
                  case "extension" -> {
                    calls.add("extension on " + Thread.currentThread().getName());
                    yield args[0] == PowerControl.class
                        ? Optional.of(new Power())
                        : args[0] == HandlerUnits.class
                            ? Optional.of(new Handlers())
                            : Optional.empty();
                  }
                  default -> throw new AssertionError(method);
                });
  }

  private OpenSession open(int epoch, Optional<String> group, Optional<OpenSession> whole) {
    DeviceLane lane =
        new DeviceLane(
            "x0",
            () -> !dead,
            DeviceLane.Bounds.of(Duration.ofSeconds(60)),
            cause -> calls.add("failed"));
    lanes.add(lane);
    OpeningHistory of = group.isEmpty() ? history : new OpeningHistory();
    return OpenSession.open(
        new OpenSession.Of("x0", group, epoch, of, whole), device(), lane, () -> {});
  }

  private OpenSession open(int epoch) {
    return open(epoch, Optional.empty(), Optional.empty());
  }

  private static int refused(OpenSession session) {
    return assertThrows(
            DriverException.class, () -> session.call(Vitals.class, Vitals::utilization))
        .code();
  }

  @Test
  void partsThatChooseTheirLaneAreCalledWithoutOne() {
    OpenSession session = open(1);
    calls.clear();
    assertTrue(session.has(HandlerUnits.class));
    boolean done =
        session.call(
            HandlerUnits.class,
            units -> {
              units.detach(5);
              return true;
            });
    assertTrue(done);
    assertEquals(List.of("detach on " + Thread.currentThread().getName()), calls);
    session.end();
    assertThrows(DriverException.class, () -> session.call(HandlerUnits.class, HandlerUnits::caps));
  }

  @Test
  void callsAreMadeOnTheLaneAndWhatTheDeviceHasIsKnown() {
    OpenSession session = open(3);
    assertEquals(Set.of("extension on isle-control-x0"), Set.copyOf(calls));
    calls.clear();
    assertTrue(session.has(Vitals.class));
    assertTrue(session.has(PowerControl.class));
    assertFalse(session.has(Display.class));
    assertFalse(session.has(String.class));
    assertEquals(INFO, session.info());
    assertEquals(3, session.epoch());
    assertEquals(List.of(), calls, "the driver is not asked again");
    assertEquals(7, session.call(Vitals.class, Vitals::utilization).computePercent());
    boolean ignored =
        session.call(
            PowerControl.class,
            power -> {
              power.enter(PowerControl.State.D0_ACTIVE);
              return true;
            });
    assertEquals(List.of("enter on isle-control-x0"), calls);
    DriverException none =
        assertThrows(DriverException.class, () -> session.call(Display.class, it -> 0));
    assertEquals(Errno.ENOTSUP, none.code());
    assertEquals("x0: the device has no Display", none.getMessage());
  }

  @Test
  void aCallFromWithinACallIsRefused() {
    OpenSession session = open(1);
    DriverException refused =
        session.call(
            Vitals.class,
            vitals ->
                assertThrows(
                    DriverException.class, () -> session.call(Vitals.class, Vitals::utilization)));
    assertEquals(Errno.EDEADLK, refused.code());
  }

  @Test
  void whatIsRefusedAfterItsEndSaysWhatHasBecomeOfTheDevice() {
    OpenSession first = open(1);
    history.goesOn(first);
    assertTrue(first.alive());
    history.interrupted();
    assertFalse(first.alive());
    assertEquals(Errno.EINTR, refused(first));
    OpenSession second = open(2);
    assertEquals(Errno.EINTR, refused(first), "it is not in use yet");
    history.goesOn(second);
    assertEquals(Errno.ESTALE, refused(first));
    assertEquals(7, second.call(Vitals.class, Vitals::utilization).computePercent());
    history.closed();
    assertEquals(Errno.ENODEV, refused(first));
    assertEquals(Errno.ENODEV, refused(second));
    OpenSession third = open(3);
    history.goesOn(third);
    assertEquals(Errno.ESTALE, refused(second));
  }

  @Test
  void anAttemptThatIsTakenBackEndsItsSessionOnly() {
    OpenSession half = open(1);
    half.end();
    assertEquals(Errno.EINTR, refused(half));
    history.goesOn(open(2));
    assertEquals(Errno.ESTALE, refused(half));
  }

  @Test
  void whoWaitsWhenTheDeviceIsTakenAwayHearsThatItRecovers() {
    OpenSession session = open(1);
    session.lane().abort();
    assertEquals(Errno.EINTR, refused(session));
  }

  @Test
  void aDriverThatCanDoNoMoreIsNotAlive() {
    OpenSession session = open(1);
    dead = true;
    assertFalse(session.alive());
  }

  @Test
  void theSessionOfAGroupsProcessEndsWithTheDevices() {
    OpenSession whole = open(1);
    history.goesOn(whole);
    OpenSession process = open(1, Optional.of("a"), Optional.of(whole));
    assertEquals(Optional.of("a"), process.group());
    assertTrue(process.alive());
    history.interrupted();
    assertFalse(process.alive());
    assertEquals(Errno.EINTR, refused(process));
    history.goesOn(open(2));
    assertEquals(Errno.ESTALE, refused(process));
  }
}
