package io.isle.drivers.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.FenceProtocolSupport;
import io.isle.api.driver.Fences;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.Programs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each setting of a simulated device does something; one without a test fails here. */
class SimSettingsTest {
  static List<Setting> schema() {
    return SimSettings.SCHEMA;
  }

  private static DeviceInfo info(String key, String value) {
    try (FakeCore core = new FakeCore();
        AccelDevice device = open(core, key, value)) {
      return device.info();
    }
  }

  private static AccelDevice open(FakeCore core, String key, String value) {
    return open(core, Map.of(key, value));
  }

  private static AccelDevice open(FakeCore core, Map<String, String> settings) {
    return new SimDriver().open(new DeviceSeed("sim0", "", ""), settings, core);
  }

  /** What it says of fences that it keeps itself; empty when it leaves them to the core. */
  private static Optional<FenceProtocolSupport> fences(Map<String, String> settings) {
    try (FakeCore core = new FakeCore();
        AccelDevice device = open(core, settings)) {
      return device.extension(Fences.class).map(Fences::support);
    }
  }

  private static Set<Programs.Kind> kinds(String compiler) {
    try (FakeCore core = new FakeCore();
        AccelDevice device = open(core, "compiler", compiler)) {
      return device.extension(Programs.class).orElseThrow().kinds();
    }
  }

  private static boolean launches(String compiler) {
    try (FakeCore core = new FakeCore();
        AccelDevice device = open(core, "compiler", compiler)) {
      return device.extension(Kernels.class).isPresent();
    }
  }

  private static boolean takesFaults(String value) {
    try (FakeCore core = new FakeCore();
        AccelDevice device = open(core, "fault_injection", value)) {
      return device.extension(FaultInjection.class).isPresent();
    }
  }

  @ParameterizedTest
  @MethodSource("schema")
  void eachIsWhatTheDeviceIs(Setting setting) {
    String key = setting.key();
    switch (key) {
      case "class" -> {
        for (DeviceClass each : DeviceClass.values()) {
          assertEquals(each, info(key, each.text()).deviceClass());
        }
      }
      case "memory_bytes" -> assertEquals(1 << 20, info(key, "1m").localMemoryBytes());
      case "compute_units" -> assertEquals(3, info(key, "3").computeUnits());
      case "max_contexts" -> assertEquals(2, info(key, "2").maxContexts());
      case "max_cmd_buffer_size" -> assertEquals(512, info(key, "512").maxCommandBytes());
      case "preemption" -> {
        for (DeviceInfo.Preemption each : DeviceInfo.Preemption.values()) {
          assertEquals(each, info(key, each.name().toLowerCase(Locale.ROOT)).preemption());
        }
      }
      case "compiler" -> {
        assertEquals(Set.of(Programs.Kind.BUILTIN), kinds("false"));
        assertEquals(Set.of(Programs.Kind.BUILTIN, Programs.Kind.OPENCL_C), kinds("true"));
        assertFalse(launches("false"));
        assertTrue(launches("true"));
      }
      // SimDeviceTest.workUsesCopies
      case "copies" -> assertTrue(SimSettings.of(Map.of(key, "true")).copies());
      case "fault_injection" -> {
        assertTrue(takesFaults("true"));
        assertTrue(!takesFaults("false"));
      }
      case "fences" -> {
        assertTrue(fences(Map.of(key, "true")).isPresent());
        assertTrue(fences(Map.of(key, "false")).isEmpty());
      }
      case "max_fence_value" -> {
        Map<String, String> settings = Map.of("fences", "true", key, "255");
        assertEquals(255, fences(settings).orElseThrow().maxFenceValue());
        assertThrows(DriverException.class, () -> fences(Map.of(key, "2")));
      }
      // SimDeviceTest.latencyIsDeviceTime
      case "latency_ns" -> assertEquals(5, SimSettings.of(Map.of(key, "5")).latencyNs());
      default -> throw new AssertionError(key + " is not tested");
    }
  }
}
