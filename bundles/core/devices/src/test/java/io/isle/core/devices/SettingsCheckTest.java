package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.api.device.Isolation;
import io.isle.api.driver.DriverInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsCheckTest {
  @Test
  void nothingGivesDefaults() {
    DesiredSettings native2 = SettingsCheck.check(Fixtures.SOFT, Map.of()).desired().orElseThrow();
    DesiredSettings java1 = SettingsCheck.check(Fixtures.SIM, Map.of()).desired().orElseThrow();
    assertEquals(
        new DesiredSettings(
            2, true, Isolation.AUTO, Map.of("memory_bytes", "67108864", "class", "gpu_compute")),
        native2);
    assertEquals(new DesiredSettings(1, true, Isolation.AUTO, Map.of("latency_ns", "0")), java1);
  }

  @Test
  void valuesAreNormalised() {
    DesiredSettings desired =
        SettingsCheck.check(
                Fixtures.SOFT,
                Map.of("driver", "soft", "tier", "1", "enabled", "false", "memory_bytes", "128m"))
            .desired()
            .orElseThrow();
    assertEquals("134217728", desired.settings().get("memory_bytes"));
    assertEquals(1, desired.tier());
    assertEquals(false, desired.enabled());
  }

  @Test
  void refusalsNameKeyAndReason() {
    assertRefused(Fixtures.SOFT, "memory_bytes", "lots", "is not a number of bytes from 4096");
    assertRefused(Fixtures.SOFT, "memory_byte", "1", "not a setting of driver soft");
    assertRefused(Fixtures.SOFT, "class", "gpu", "one of gpu_compute, npu");
    assertRefused(Fixtures.SOFT, "tier", "3", "is neither 1");
    assertRefused(Fixtures.SOFT, "enabled", "yes", "is not true or false");
    assertRefused(Fixtures.SOFT, "driver", "opencl", "does not match the device id");
    assertRefused(Fixtures.SIM, "tier", "2", "runs in the platform's process");
    assertRefused(Fixtures.SOFT, "isolation", "tenant", "is not auto, shared or group");
    assertRefused(Fixtures.SIM, "isolation", "group", "needs driver processes");
  }

  @Test
  void isolationByGroupNeedsTier2() {
    for (Isolation isolation : Isolation.values()) {
      DesiredSettings desired =
          SettingsCheck.check(Fixtures.SOFT, Map.of("isolation", isolation.text()))
              .desired()
              .orElseThrow();
      assertEquals(isolation, desired.isolation());
    }
    String why =
        SettingsCheck.check(Fixtures.SOFT, Map.of("isolation", "group", "tier", "1")).refusal();
    assertTrue(why.startsWith("isolation: ") && why.contains("set tier=2"), why);
  }

  @Test
  void aBadSchemaIsNamed() {
    List<Setting> settings =
        List.of(
            Setting.bool("tier", true, ""),
            Setting.integer("n", 0, 5, 9, ""),
            Setting.integer("n", 0, 5, 1, ""));
    String why =
        SettingsCheck.badDriver(new DriverInfo("x", "1", 1 << 16, settings, false)).orElseThrow();
    assertTrue(why.contains("tier is reserved") && why.contains("default of n"), why);
    assertTrue(
        SettingsCheck.badDriver(new DriverInfo("X/..", "1", 1 << 16, List.of(), false))
            .isPresent());
    assertTrue(SettingsCheck.badDriver(Fixtures.SOFT).isEmpty());
    assertEquals(
        "driver name 'crc32' ends with a digit: its device 0 would be crc320, which is device 320"
            + " of crc",
        SettingsCheck.badDriver(new DriverInfo("crc32", "1", 1 << 16, List.of(), false))
            .orElseThrow());
    assertTrue(
        SettingsCheck.badDriver(new DriverInfo("x86y", "1", 1 << 16, List.of(), false)).isEmpty());
  }

  private static void assertRefused(DriverInfo driver, String key, String value, String reason) {
    SettingsCheck.Result result = SettingsCheck.check(driver, Map.of(key, value));
    assertTrue(result.desired().isEmpty());
    assertTrue(result.refusal().startsWith(key + ": "), result.refusal());
    assertTrue(result.refusal().contains(reason), result.refusal());
  }
}
