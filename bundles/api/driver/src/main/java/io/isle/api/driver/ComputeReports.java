package io.isle.api.driver;

/** Extension: the reports of AccelComputeVTable (accelerator framework, 42.2.5). Control lane. */
public interface ComputeReports {
  /** The compute capabilities of the device. */
  ComputeCaps caps();

  /**
   * The counters of a context.
   *
   * @throws DriverException ENOTSUP without counters
   */
  PerfCounters counters(long context);

  /** Compute capabilities: the fields of ComputeCapabilities. */
  record ComputeCaps(
      int isaVersion,
      int maxWorkgroupSize,
      int maxLocalMemory,
      int shaderCores,
      int fp32Gflops,
      int fp16Gflops,
      int int8Tops,
      int tensorCores) {}

  /**
   * Counters: the fields of AccelPerfCounters.
   *
   * @param vendor the eight device-specific counters
   */
  record PerfCounters(
      long cyclesExecuted,
      long bytesRead,
      long bytesWritten,
      long kernelCount,
      long pageFaults,
      long memoryStallNs,
      long executionNs,
      java.util.List<Long> vendor) {}
}
