package io.isle.api.accel;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** What an administrator sees of all tenants. Thread-safe; snapshots. */
@ProviderType
public interface AccelAdmin {
  /** All contexts, by device, then age. */
  List<ContextInfo> contexts();

  /** All memory objects, by device, then age. */
  List<MemoryInfo> memory();

  /** One line a device: what AccelUtilization reports. */
  List<UtilizationInfo> utilization();

  /** One line a device that reports compute capabilities (42.2.5). */
  List<ComputeInfo> compute();

  /** The eight fields of ComputeCapabilities of one device. */
  record ComputeInfo(
      String device,
      int isaVersion,
      int maxWorkgroupSize,
      int maxLocalMemory,
      int shaderCores,
      int fp32Gflops,
      int fp16Gflops,
      int int8Tops,
      int tensorCores) {}

  /**
   * A piece of device memory.
   *
   * @param contents valid or lost
   */
  record MemoryInfo(
      String id,
      String device,
      String context,
      String tenant,
      long bytes,
      int references,
      String contents) {}

  /** The eight fields of AccelUtilization of one device. */
  record UtilizationInfo(
      String device,
      int computePercent,
      int memoryBandwidthPercent,
      long memoryUsedBytes,
      long memoryTotalBytes,
      int activeContexts,
      int temperatureMilliCelsius,
      int powerMilliwatts,
      int clockMhz) {}

  /**
   * Plans faults on a device whose settings allow them.
   *
   * @param fault latency, context_error, partial_error, hang, segv, abort, exit or lost_completion
   * @throws AccelException ENODEV; ENOTSUP when the device's settings forbid faults; EINVAL
   */
  void injectFault(String device, String fault, long after, long count, long value);
}
