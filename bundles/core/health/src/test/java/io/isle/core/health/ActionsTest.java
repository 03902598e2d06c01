package io.isle.core.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DriverException;
import io.isle.api.health.HealthException;
import io.isle.api.observe.Actor;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What administrators do to devices: checked, done, written down. */
class ActionsTest {
  private final FakePlatform platform = new FakePlatform();
  private final FakeDevice device = platform.open("soft0");
  private final PowerComponent power = new PowerComponent(platform.sessions());
  private final FaultComponent faults = new FaultComponent(platform.sessions());

  @BeforeEach
  void bind() {
    power.tree = platform.tree;
    power.audit = platform.book();
    faults.tree = platform.tree;
    faults.audit = platform.book();
  }

  private static void refused(int code, String message, Executable call) {
    HealthException refused = assertThrows(HealthException.class, call);
    assertEquals(message, refused.getMessage());
    assertEquals(code, refused.code());
  }

  @Test
  void anAdministratorSetsTheLevel() {
    power.setPerformanceLevel("soft0", "high");
    assertEquals(List.of("level HIGH"), device.calls);
    assertEquals(
        List.of(Actor.current().text() + "|device.performance-level|soft0|0|high"),
        platform.written);
  }

  @Test
  void anUnknownLevelIsRefused() {
    String why = "level: 'max' is not one of auto, low, balanced, high";
    refused(Errno.EINVAL, why, () -> power.setPerformanceLevel("soft0", "max"));
    assertEquals(
        List.of("isle|device.performance-level|soft0|" + Errno.EINVAL + "|" + why),
        platform.written);
    assertEquals(List.of(), device.calls);
  }

  @Test
  void aFaultIsPlanned() {
    faults.inject("soft0", "lost_completion", 2, 3, 4);
    assertEquals(List.of("LOST_COMPLETION 2 3 4"), device.calls);
    assertEquals(
        List.of("isle|device.inject-fault|soft0|0|lost_completion after 2, 3 times, value 4"),
        platform.written);
  }

  @Test
  void anUnknownFaultIsRefused() {
    refused(
        Errno.EINVAL,
        "fault: 'bad' is not one of latency, context_error, partial_error, hang, segv, abort, exit,"
            + " lost_completion, ecc_correctable, ecc_uncorrectable, throttle, pcie_replay, hotplug",
        () -> faults.inject("soft0", "bad", 0, 1, 0));
  }

  @ParameterizedTest
  @CsvSource({"-1,1,0", "0,0,0", "0,-1,0", "0,1,-1"})
  void figuresOutOfTheirRangesAreRefused(long after, long count, long value) {
    refused(
        Errno.EINVAL,
        "after and value must be at least 0, count must be at least 1",
        () -> faults.inject("soft0", "hang", after, count, value));
    assertEquals(List.of(), device.calls);
  }

  @Test
  void aDeviceWhoseSettingsForbidFaultsGetsNone() {
    device.takesFaults = false;
    String why =
        "the settings of the device forbid faults; set fault_injection=true in"
            + " etc/io.isle.device-ID.cfg";
    refused(Errno.ENOTSUP, why, () -> faults.inject("soft0", "segv", 0, 1, 0));
    assertEquals(
        List.of("isle|device.inject-fault|soft0|" + Errno.ENOTSUP + "|" + why), platform.written);
  }

  @Test
  void whatTheDriverSaysIsToldAndWrittenDown() {
    device.refusal = new DriverException(Errno.ENOTSUP, "soft0: it has no levels");
    refused(
        Errno.ENOTSUP, "soft0: it has no levels", () -> power.setPerformanceLevel("soft0", "low"));
    assertEquals(
        List.of(
            "isle|device.performance-level|soft0|" + Errno.ENOTSUP + "|soft0: it has no levels"),
        platform.written);
  }

  @Test
  void aDeviceThatIsReplacedMeanwhileCanBeTriedAgain() {
    device.refusal = new DriverException(Errno.ESTALE, "soft0: another opening has followed");
    refused(
        Errno.EINTR,
        "soft0: another opening has followed",
        () -> faults.inject("soft0", "hang", 0, 1, 0));
    assertEquals(1, platform.written.size());
  }

  @Test
  void aDeviceThatIsNotOpenIsNamedWithTheReason() {
    platform.tree.put("soft1", Optional.of(DeviceState.RECOVERING));
    platform.tree.put("soft2", Optional.of(DeviceState.FAILED));
    refused(
        Errno.EINTR,
        "soft1 recovers; try again in a moment",
        () -> faults.inject("soft1", "hang", 0, 1, 0));
    refused(
        Errno.ENODEV,
        "soft2 is not open; see device:info soft2 for the reason",
        () -> power.setPerformanceLevel("soft2", "low"));
    refused(Errno.ENODEV, "soft3 is not open", () -> power.setPerformanceLevel("soft3", "low"));
    assertEquals(
        List.of(
            "device.inject-fault|soft1|" + Errno.EINTR,
            "device.performance-level|soft2|" + Errno.ENODEV,
            "device.performance-level|soft3|" + Errno.ENODEV),
        platform.written.stream()
            .map(line -> line.substring(line.indexOf('|') + 1, line.lastIndexOf('|')))
            .toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"ACTIVE", "SUSPENDED"})
  void aDeviceThatComesBackWhileItIsLookedForCanBeTriedAgain(DeviceState now) {
    platform.tree.put("soft1", Optional.of(now));
    refused(
        Errno.EINTR,
        "soft1 recovers; try again in a moment",
        () -> power.setPerformanceLevel("soft1", "low"));
  }

  @Test
  void withoutTreeAndBookTheRestGoesOn() {
    power.tree = null;
    power.audit = null;
    power.setPerformanceLevel("soft0", "low");
    assertEquals(List.of("level LOW"), device.calls);
    refused(Errno.ENODEV, "soft1 is not open", () -> power.setPerformanceLevel("soft1", "low"));
    assertEquals(List.of(), platform.written);
  }
}
