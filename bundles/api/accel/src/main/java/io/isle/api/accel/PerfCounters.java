package io.isle.api.accel;

import java.util.List;

/**
 * Counters of one context since it was opened; the fields of AccelPerfCounters (42.2.5).
 *
 * @param vendor the eight device-specific counters; the driver's documentation says what they are
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
