package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.DeviceInfo.Preemption;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FenceProtocolSupport;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Settings of a simulated device.
 *
 * @param latencyNs device time that every submission takes beyond its programs
 * @param fences whether it keeps waits of submissions itself, see {@link SimFences}
 * @param maxFenceValue where values of fences wrap; 0 for nowhere
 * @param compiler whether it takes OpenCL C, see {@link SimCompiler}, and describes kernels
 * @param copies whether work uses copies of memory that the CPU sees, as on devices apart
 */
record SimSettings(
    DeviceClass deviceClass,
    long memoryBytes,
    int computeUnits,
    int maxContexts,
    int maxCommandBytes,
    long latencyNs,
    Preemption preemption,
    boolean fences,
    long maxFenceValue,
    boolean compiler,
    boolean copies,
    boolean faultInjection) {
  @SettingsSchema(driver = "sim")
  static final List<Setting> SCHEMA =
      List.of(
          Setting.choice(
              "class",
              Stream.of(DeviceClass.values()).map(DeviceClass::text).toList(),
              "gpu_compute",
              "device class to report"),
          Setting.bytes("memory_bytes", 4096, 1L << 36, 64L << 20, "device memory"),
          Setting.integer(
              "compute_units", 1, 64, 1, "number of contexts whose work runs at the same time"),
          Setting.integer("max_contexts", 1, 1024, 64, "largest number of open contexts"),
          Setting.bytes("max_cmd_buffer_size", 256, 1 << 20, 65536, "longest command envelope"),
          Setting.integer(
              "latency_ns", 0, 60_000_000_000L, 0, "minimum device time of a submission"),
          Setting.choice(
              "preemption",
              Stream.of(Preemption.values())
                  .map(known -> known.name().toLowerCase(Locale.ROOT))
                  .toList(),
              "instruction",
              "points at which running work can be preempted"),
          Setting.bool(
              "fences", false, "let the device handle the waits of submissions for fences"),
          Setting.integer(
              "max_fence_value",
              0,
              0xffff_ffffL,
              0,
              "largest value of a fence, at least 3, after which values begin again at 0; 0: no"
                  + " largest value"),
          Setting.bool(
              "compiler",
              false,
              "accept OpenCL C source, and launches; only kernels with the names of built-in"
                  + " programs run"),
          Setting.bool(
              "copies", false, "let work use the device's own copies of memory that the CPU sees"),
          Setting.bool("fault_injection", false, "offer planned faults"));

  /**
   * Reads checked settings; a key left out has its default.
   *
   * @throws DriverException EINVAL for an unknown key or bad value, naming it
   */
  static SimSettings of(Map<String, String> given) {
    Map<String, String> values = new HashMap<>(given);
    for (Setting setting : SCHEMA) {
      String value = given.getOrDefault(setting.key(), setting.defaultValue());
      setting
          .refusal(value)
          .ifPresent(
              why -> {
                throw new DriverException(Errno.EINVAL, why);
              });
      values.put(setting.key(), setting.normalise(value));
    }
    if (values.size() != SCHEMA.size()) {
      throw new DriverException(Errno.EINVAL, "unknown settings among " + given.keySet());
    }
    long maxFenceValue = Long.parseLong(values.get("max_fence_value"));
    if (maxFenceValue > 0 && maxFenceValue < FenceProtocolSupport.LEAST_MAX_VALUE) {
      throw new DriverException(
          Errno.EINVAL,
          "max_fence_value: "
              + maxFenceValue
              + " is neither 0 nor at least "
              + FenceProtocolSupport.LEAST_MAX_VALUE);
    }
    return new SimSettings(
        DeviceClass.valueOf(values.get("class").toUpperCase(Locale.ROOT)),
        Long.parseLong(values.get("memory_bytes")),
        Integer.parseInt(values.get("compute_units")),
        Integer.parseInt(values.get("max_contexts")),
        Integer.parseInt(values.get("max_cmd_buffer_size")),
        Long.parseLong(values.get("latency_ns")),
        Preemption.valueOf(values.get("preemption").toUpperCase(Locale.ROOT)),
        Boolean.parseBoolean(values.get("fences")),
        maxFenceValue,
        Boolean.parseBoolean(values.get("compiler")),
        Boolean.parseBoolean(values.get("copies")),
        Boolean.parseBoolean(values.get("fault_injection")));
  }
}
