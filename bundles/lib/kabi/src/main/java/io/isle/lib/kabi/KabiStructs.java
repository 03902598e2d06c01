package io.isle.lib.kabi;

import java.util.List;

/** Structures of {@code isle_kabi.h} that the core reads and writes. */
public final class KabiStructs {
  public static final CStruct DEVICE_INFO =
      CStruct.named("AccelDeviceInfo")
          .u32("device_class", "compute_units")
          .u64("local_memory_bytes")
          .u32("max_contexts", "preemption_granularity", "max_cmd_buffer_size", "memory_types")
          .u8("pcie_atomics", "p2p_capable", "unified_addressing", "hw_page_faults")
          .array("_pad", 1, 32)
          .build();

  public static final CStruct CONTEXT_LIMITS =
      CStruct.named("AccelContextLimits")
          .u64(
              "max_memory_bytes",
              "max_execution_us",
              "guaranteed_bandwidth_us",
              "bandwidth_period_us")
          .array("_pad", 1, 32)
          .build();

  public static final CStruct MIGRATION_ENTRY =
      CStruct.named("AccelMigrationEntry")
          .u64("vaddr")
          .u8("current_location", "target_location")
          .u16("result")
          .array("_pad", 1, 4)
          .build();

  public static final CStruct UTILIZATION =
      CStruct.named("AccelUtilization")
          .u32("compute_percent", "memory_bw_percent")
          .u64("memory_used_bytes", "memory_total_bytes")
          .u32("active_contexts", "temperature_mc", "power_mw", "clock_mhz")
          .build();

  public static final CStruct POWER_STATE =
      CStruct.named("AccelPowerState")
          .u32(
              "state",
              "perf_level",
              "temperature_mc",
              "power_mw",
              "power_limit_mw",
              "clock_mhz",
              "throttled",
              "_pad")
          .build();

  public static final CStruct FENCE =
      CStruct.named("AccelFence")
          .u32("fence_type")
          .u64("value", "device_id")
          .u32("context_id")
          .build();

  public static final CStruct FENCE_PROTOCOL =
      CStruct.named("FenceProtocolSupport")
          .u8("timeline_semaphores", "hw_cross_device", "cpu_signal")
          .u64("max_fence_value")
          .build();

  public static final CStruct COMPUTE_CAPS =
      CStruct.named("ComputeCapabilities")
          .u32(
              "isa_version",
              "max_workgroup_size",
              "max_local_memory",
              "shader_cores",
              "fp32_gflops",
              "fp16_gflops",
              "int8_tops",
              "tensor_cores")
          .array("_pad", 1, 32)
          .build();

  public static final CStruct FAULT_RESOLUTION =
      CStruct.named("FaultResolution").u32("action").u64("page_paddr", "pte_flags").build();

  public static final CStruct PERF_COUNTERS =
      CStruct.named("AccelPerfCounters")
          .u64(
              "cycles_executed",
              "bytes_read",
              "bytes_written",
              "kernel_count",
              "page_faults",
              "memory_stall_ns",
              "execution_ns")
          .array("vendor_counters", 8, 8)
          .array("_pad", 1, 32)
          .build();

  public static final CStruct PARTITION =
      CStruct.named("AccelPartition")
          .u32("index", "compute_units")
          .u64("memory_bytes", "partition_id")
          .build();

  public static final CStruct BASE_VTABLE =
      CStruct.named("AccelBaseVTable")
          .u64("vtable_size")
          .u32("version")
          .u64(
              "get_info",
              "create_context",
              "destroy_context",
              "submit_commands",
              "poll_completion",
              "preempt_context",
              "alloc_device_memory",
              "free_device_memory",
              "map_device_memory",
              "migrate_pages",
              "get_utilization",
              "get_power_state",
              "set_performance_level",
              "reset_context",
              "reset_device",
              "register_completion_callback")
          .build();

  public static final CStruct COMPUTE_VTABLE =
      CStruct.named("AccelComputeVTable")
          .u64("vtable_size")
          .u32("version")
          .u64("get_compute_caps", "enable_svm", "handle_device_fault", "get_perf_counters")
          .build();

  public static final CStruct DEVICE_SEED =
      CStruct.named("isle_device_seed")
          .text("name", 64)
          .text("parent", 64)
          .text("summary", 128)
          .build();

  public static final CStruct PROGRAM_ENTRY =
      CStruct.named("isle_program_entry")
          .text("name", 64)
          .u32("entry", "arg_count")
          .array("arg_kinds", 1, 16)
          .array("arg_access", 1, 16)
          .build();

  public static final CStruct KERNEL_ARG =
      CStruct.named("isle_kernel_arg")
          .text("name", 64)
          .text("type", 64)
          .u32("kind", "access", "bytes", "element", "lanes", "_pad")
          .build();

  public static final CStruct KERNEL =
      CStruct.named("isle_kernel")
          .text("name", 256)
          .u32("entry", "arg_count")
          .array("group_size", 4, 3)
          .u32("max_group")
          .u64("local_bytes", "private_bytes")
          .text("needs_group_size", 192)
          .text("unusable", 192)
          .struct("args", KERNEL_ARG, 64)
          .build();

  public static final CStruct HEALTH =
      CStruct.named("AccelHealthData")
          .u32("temperature_mc", "power_mw")
          .u64("ecc_correctable", "ecc_uncorrectable")
          .u32("throttle_count", "error_code", "pcie_replay_count")
          .array("_pad", 1, 20)
          .build();

  private KabiStructs() {}

  /** All of them. */
  public static List<CStruct> all() {
    return List.of(
        DEVICE_INFO,
        CONTEXT_LIMITS,
        MIGRATION_ENTRY,
        UTILIZATION,
        POWER_STATE,
        FENCE,
        FENCE_PROTOCOL,
        COMPUTE_CAPS,
        FAULT_RESOLUTION,
        PERF_COUNTERS,
        PARTITION,
        BASE_VTABLE,
        COMPUTE_VTABLE,
        DEVICE_SEED,
        PROGRAM_ENTRY,
        KERNEL_ARG,
        KERNEL,
        HEALTH);
  }
}
