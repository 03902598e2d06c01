package io.isle.core.drivers.nativecode.control;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Health;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Utilization;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reads structures that a driver filled in, hostile ones too: every enumeration and range is
 * checked, and a bad one is an EPROTO that names the field.
 */
public final class Decoder {
  private static final int MAX_COMMAND = 16 << 20;

  /** More memory than a device of today has, and few enough bytes that sums do not overflow. */
  static final long MAX_MEMORY = 1L << 44;

  /** Events that nobody lives to see: the most of a counter. */
  public static final long MAX_COUNT = 1L << 56;

  private static final int MIN_MILLICELSIUS = -273_150;
  private static final int MAX_MILLICELSIUS = 1_000_000;
  private static final int MAX_MILLIWATTS = 1_000_000_000;
  private static final int MAX_MEGAHERTZ = 1_000_000;
  private static final int MAX_CONTEXTS = 1 << 16;

  private Decoder() {}

  static DeviceInfo info(MemorySegment memory) {
    CStruct type = KabiStructs.DEVICE_INFO;
    return new DeviceInfo(
        DeviceClass.of(type.getInt(memory, "device_class"))
            .orElseThrow(() -> bad("device_class", type.get(memory, "device_class"))),
        range("compute_units", type.get(memory, "compute_units"), 1, 1 << 20),
        bytes(type, memory, "local_memory_bytes"),
        range("max_contexts", type.get(memory, "max_contexts"), 1, MAX_CONTEXTS),
        DeviceInfo.Preemption.values()[
            range("preemption_granularity", type.get(memory, "preemption_granularity"), 0, 3)],
        range("max_cmd_buffer_size", type.get(memory, "max_cmd_buffer_size"), 64, MAX_COMMAND),
        type.getInt(memory, "memory_types"),
        flag("pcie_atomics", type.get(memory, "pcie_atomics")),
        flag("p2p_capable", type.get(memory, "p2p_capable")),
        flag("unified_addressing", type.get(memory, "unified_addressing")),
        flag("hw_page_faults", type.get(memory, "hw_page_faults")));
  }

  public static Utilization utilization(MemorySegment memory) {
    CStruct type = KabiStructs.UTILIZATION;
    return new Utilization(
        range("compute_percent", type.get(memory, "compute_percent"), 0, 100),
        range("memory_bw_percent", type.get(memory, "memory_bw_percent"), 0, 100),
        bytes(type, memory, "memory_used_bytes"),
        bytes(type, memory, "memory_total_bytes"),
        range("active_contexts", type.get(memory, "active_contexts"), 0, MAX_CONTEXTS),
        temperature(type, memory),
        milliwatts(type, memory, "power_mw"),
        megahertz(type, memory));
  }

  public static PowerState power(MemorySegment memory) {
    CStruct type = KabiStructs.POWER_STATE;
    return new PowerState(
        range("state", type.get(memory, "state"), 0, 3),
        PerformanceLevel.values()[range("perf_level", type.get(memory, "perf_level"), 0, 3)],
        temperature(type, memory),
        milliwatts(type, memory, "power_mw"),
        milliwatts(type, memory, "power_limit_mw"),
        megahertz(type, memory),
        flag("throttled", type.get(memory, "throttled")));
  }

  public static Health.Reading health(MemorySegment memory) {
    CStruct type = KabiStructs.HEALTH;
    return new Health.Reading(
        temperature(type, memory),
        milliwatts(type, memory, "power_mw"),
        count(type, memory, "ecc_correctable"),
        count(type, memory, "ecc_uncorrectable"),
        amount(type, memory, "throttle_count"),
        type.getInt(memory, "error_code"),
        amount(type, memory, "pcie_replay_count"));
  }

  public static ComputeReports.ComputeCaps caps(MemorySegment memory) {
    CStruct type = KabiStructs.COMPUTE_CAPS;
    return new ComputeReports.ComputeCaps(
        type.getInt(memory, "isa_version"),
        amount(type, memory, "max_workgroup_size"),
        amount(type, memory, "max_local_memory"),
        amount(type, memory, "shader_cores"),
        amount(type, memory, "fp32_gflops"),
        amount(type, memory, "fp16_gflops"),
        amount(type, memory, "int8_tops"),
        amount(type, memory, "tensor_cores"));
  }

  public static ComputeReports.PerfCounters counters(MemorySegment memory) {
    CStruct type = KabiStructs.PERF_COUNTERS;
    return new ComputeReports.PerfCounters(
        count(type, memory, "cycles_executed"),
        count(type, memory, "bytes_read"),
        count(type, memory, "bytes_written"),
        count(type, memory, "kernel_count"),
        count(type, memory, "page_faults"),
        count(type, memory, "memory_stall_ns"),
        count(type, memory, "execution_ns"),
        // what these mean only the driver knows
        IntStream.range(0, 8).mapToObj(i -> type.at(memory, "vendor_counters", i)).toList());
  }

  private static int temperature(CStruct type, MemorySegment memory) {
    int value = type.getInt(memory, "temperature_mc");
    return range("temperature_mc", value, MIN_MILLICELSIUS, MAX_MILLICELSIUS);
  }

  private static int milliwatts(CStruct type, MemorySegment memory, String field) {
    return range(field, type.get(memory, field), 0, MAX_MILLIWATTS);
  }

  private static int megahertz(CStruct type, MemorySegment memory) {
    return range("clock_mhz", type.get(memory, "clock_mhz"), 0, MAX_MEGAHERTZ);
  }

  private static int amount(CStruct type, MemorySegment memory, String field) {
    return range(field, type.get(memory, field), 0, Integer.MAX_VALUE);
  }

  private static long bytes(CStruct type, MemorySegment memory, String field) {
    return longRange(field, type.get(memory, field), 0, MAX_MEMORY);
  }

  private static long count(CStruct type, MemorySegment memory, String field) {
    return longRange(field, type.get(memory, field), 0, MAX_COUNT);
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

  public static ProgramEntry entry(MemorySegment memory) {
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

  public static int range(String field, long value, long min, long max) {
    return (int) longRange(field, value, min, max);
  }

  public static long longRange(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw bad(field, value);
    }
    return value;
  }

  private static boolean flag(String field, long value) {
    return range(field, value, 0, 1) == 1;
  }

  private static DriverException bad(String field, long value) {
    return new DriverException(
        Errno.EPROTO, "the driver reported " + field + " = " + Long.toUnsignedString(value));
  }
}
