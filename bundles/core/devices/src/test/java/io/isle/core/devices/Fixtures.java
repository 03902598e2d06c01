package io.isle.core.devices;

import io.isle.api.base.Setting;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.List;

/** Drivers and seeds that tests share. */
final class Fixtures {
  static final DriverInfo SOFT =
      new DriverInfo(
          "soft",
          "1.0",
          DriverInfo.KABI,
          List.of(
              Setting.bytes("memory_bytes", 4096, 1L << 40, 1 << 26, "device memory"),
              Setting.choice("class", List.of("gpu_compute", "npu"), "gpu_compute", "class")),
          true);
  static final DriverInfo SIM =
      new DriverInfo(
          "sim",
          "1.0",
          DriverInfo.KABI,
          List.of(Setting.integer("latency_ns", 0, 1_000_000, 0, "latency")),
          false);

  private Fixtures() {}

  static DeviceName name(String id) {
    return DeviceName.parse(id).orElseThrow();
  }

  static DeviceSeed seed(String name) {
    return new DeviceSeed(name, "", "a " + name);
  }
}
