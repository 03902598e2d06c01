package io.isle.core.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.health.HealthException;
import io.isle.api.health.HealthInfo;
import io.isle.api.health.PowerInfo;
import io.isle.api.health.UtilizationInfo;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of open devices, and of which. */
class RowsTest {
  private final FakePlatform platform = new FakePlatform();
  private final FakeDevice first = platform.open("soft0");
  private final FakeDevice second = platform.open("soft1");
  private final PowerComponent power = new PowerComponent(platform.sessions());
  private final HealthComponent health = new HealthComponent(platform.sessions());
  private final UtilizationComponent load = new UtilizationComponent(platform.sessions());

  @Test
  void powerOfEveryOpenDevice() {
    second.powerLevel = 3;
    assertEquals(
        List.of(
            new PowerInfo("soft0", "d0_active", "balanced", 41_000, 11_000, 25_000, 1100, true),
            new PowerInfo("soft1", "d3_off", "balanced", 41_000, 11_000, 25_000, 1100, true)),
        power.list());
  }

  @Test
  void aPowerStateWithoutANameIsItsNumber() {
    first.powerLevel = 2;
    assertEquals("level 2", power.list().getFirst().state());
  }

  @Test
  void countersOfEveryOpenDeviceThatKeepsThem() {
    second.keepsCounters = false;
    assertEquals(
        List.of(
            new HealthInfo("soft0", Optional.of(new HealthInfo.Counters(1, 2, 3, 4, 5))),
            new HealthInfo("soft1", Optional.empty())),
        health.list());
  }

  @Test
  void loadOfEveryOpenDevice() {
    assertEquals(
        List.of(
            new UtilizationInfo("soft0", 50, 25, 4096, 1 << 20, 3, 40_000, 10_000, 1000),
            new UtilizationInfo("soft1", 50, 25, 4096, 1 << 20, 3, 40_000, 10_000, 1000)),
        load.list());
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.ENODEV, Errno.EINTR, Errno.ESTALE, Errno.ETIMEDOUT, Errno.EPROTO})
  void aDeviceThatCannotAnswerIsLeftOutAndTheOthersAreShown(int code) {
    first.refusal = new DriverException(code, "soft0: no answer");
    assertEquals(List.of("soft1"), power.list().stream().map(PowerInfo::device).toList());
    assertEquals(List.of("soft1"), health.list().stream().map(HealthInfo::device).toList());
    assertEquals(List.of("soft1"), load.list().stream().map(UtilizationInfo::device).toList());
  }

  @Test
  void whatADriverRefusesIsTold() {
    first.refusal = new DriverException(Errno.EACCES, "soft0: a refusal");
    for (Executable list : List.<Executable>of(power::list, health::list, load::list)) {
      HealthException refused = assertThrows(HealthException.class, list);
      assertEquals(Errno.EACCES, refused.code());
      assertEquals("soft0: a refusal", refused.getMessage());
    }
  }
}
