package io.isle.api.accel;

import java.util.List;

/**
 * Counters of one context since its opening: the fields of AccelPerfCounters (42.2.5). Immutable.
 *
 * @param cyclesExecuted executed cycles
 * @param bytesRead bytes read
 * @param bytesWritten bytes written
 * @param kernelCount executed kernels
 * @param pageFaults page faults
 * @param memoryStallNs time of memory stalls in nanoseconds
 * @param executionNs execution time in nanoseconds
 * @param vendor the eight device-specific counters, described in the driver's documentation
 */
public record PerfCounters(
    long cyclesExecuted,
    long bytesRead,
    long bytesWritten,
    long kernelCount,
    long pageFaults,
    long memoryStallNs,
    long executionNs,
    List<Long> vendor) {
  public PerfCounters {
    vendor = List.copyOf(vendor);
  }
}
