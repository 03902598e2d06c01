package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Setting;
import io.isle.api.driver.Utilization;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads structures that a driver filled in, hostile ones too: every enumeration and range is
 * checked, and a bad one is an EPROTO that names the field.
 */
final class Decoder {
  private static final int MAX_COMMAND = 16 << 20;

  private Decoder() {}

  static DeviceInfo info(MemorySegment memory) {
    CStruct type = KabiStructs.DEVICE_INFO;
    long local = type.get(memory, "local_memory_bytes");
    return new DeviceInfo(
        DeviceClass.of(type.getInt(memory, "device_class"))
            .orElseThrow(() -> bad("device_class", type.get(memory, "device_class"))),
        range("compute_units", type.get(memory, "compute_units"), 1, 1 << 20),
        local < 0 ? bounded("local_memory_bytes", local) : local,
        range("max_contexts", type.get(memory, "max_contexts"), 1, 1 << 16),
        DeviceInfo.Preemption.values()[
            range("preemption_granularity", type.get(memory, "preemption_granularity"), 0, 3)],
        range("max_cmd_buffer_size", type.get(memory, "max_cmd_buffer_size"), 64, MAX_COMMAND),
        type.getInt(memory, "memory_types"),
        flag("pcie_atomics", type.get(memory, "pcie_atomics")),
        flag("p2p_capable", type.get(memory, "p2p_capable")),
        flag("unified_addressing", type.get(memory, "unified_addressing")),
        flag("hw_page_faults", type.get(memory, "hw_page_faults")));
  }

  static Utilization utilization(MemorySegment memory) {
    CStruct type = KabiStructs.UTILIZATION;
    return new Utilization(
        range("compute_percent", type.get(memory, "compute_percent"), 0, 100),
        range("memory_bw_percent", type.get(memory, "memory_bw_percent"), 0, 100),
        type.get(memory, "memory_used_bytes"),
        type.get(memory, "memory_total_bytes"),
        type.getInt(memory, "active_contexts"),
        type.getInt(memory, "temperature_mc"),
        type.getInt(memory, "power_mw"),
        type.getInt(memory, "clock_mhz"));
  }

  static PowerState power(MemorySegment memory) {
    CStruct type = KabiStructs.POWER_STATE;
    return new PowerState(
        range("state", type.get(memory, "state"), 0, 3),
        PerformanceLevel.values()[range("perf_level", type.get(memory, "perf_level"), 0, 3)],
        type.getInt(memory, "temperature_mc"),
        type.getInt(memory, "power_mw"),
        type.getInt(memory, "power_limit_mw"),
        type.getInt(memory, "clock_mhz"),
        flag("throttled", type.get(memory, "throttled")));
  }

  static DeviceSeed seed(MemorySegment memory) {
    CStruct type = KabiStructs.DEVICE_SEED;
    return new DeviceSeed(
        type.text(memory, "name"), type.text(memory, "parent"), type.text(memory, "summary"));
  }

  static Setting setting(MemorySegment memory) {
    CStruct type = WireStructs.SETTING_TEXT;
    String key = type.text(memory, "key");
    if (!key.matches("[a-z][a-z0-9_]*")) {
      throw new DriverException(Errno.EPROTO, "a setting's key is '" + key + "'");
    }
    String choices = type.text(memory, "choices");
    Setting setting =
        new Setting(
            key,
            Setting.Type.values()[range(key + " type", type.get(memory, "type"), 1, 5) - 1],
            type.get(memory, "min"),
            type.get(memory, "max"),
            choices.isEmpty() ? List.of() : List.of(choices.split(",", -1)),
            type.text(memory, "default_value"),
            type.text(memory, "help"));
    setting
        .refusal(setting.defaultValue())
        .ifPresent(
            why -> {
              throw new DriverException(Errno.EPROTO, "default of setting " + why);
            });
    return setting;
  }

  static ProgramEntry entry(MemorySegment memory) {
    CStruct type = KabiStructs.PROGRAM_ENTRY;
    int count = range("arg_count", type.get(memory, "arg_count"), 0, 16);
    List<ProgramEntry.Argument> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int kind = range("arg_kinds", type.at(memory, "arg_kinds", i), 1, 7);
      arguments.add(
          new ProgramEntry.Argument(
              ProgramEntry.Kind.values()[kind - 1],
              range("arg_access", type.at(memory, "arg_access", i), 0, 3)));
    }
    return new ProgramEntry(type.text(memory, "name"), type.getInt(memory, "entry"), arguments);
  }

  static int range(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw bad(field, value);
    }
    return (int) value;
  }

  private static boolean flag(String field, long value) {
    return range(field, value, 0, 1) == 1;
  }

  private static long bounded(String field, long value) {
    throw bad(field, value);
  }

  private static DriverException bad(String field, long value) {
    return new DriverException(
        Errno.EPROTO, "the driver reported " + field + " = " + Long.toUnsignedString(value));
  }
}
