package io.isle.core.accel.sched;

import io.isle.api.device.DeviceClass;

/** Policies of a device, with the numbers of the driver ABI in this order. */
public enum SchedulingPolicy {
  /** Contexts in turn, whatever their priority. */
  ROUND_ROBIN,

  /** Strict priority; contexts of one priority in turn. */
  PRIORITY,

  /** Guarantees first, then weights; see {@link SchedulingCore}. */
  GUARANTEED;

  /**
   * In flight on a device of which somebody was promised a share: what is there cannot be recalled.
   */
  private static final int GUARANTEED_DEPTH = 2;

  /**
   * What a device has unless it is set.
   *
   * @param shared whether a limit, guarantee or weight is set for any of its groups or contexts
   */
  public static SchedulingPolicy defaultOf(DeviceClass deviceClass, boolean shared) {
    if (shared) {
      return GUARANTEED;
    }
    return switch (deviceClass) {
      case GPU, GPU_COMPUTE -> PRIORITY;
      case NPU, TPU, FPGA, DSP, MEDIA_PROCESSOR, COMPUTE_STORAGE, OTHER -> ROUND_ROBIN;
    };
  }

  /**
   * Most submissions in flight unless it is set.
   *
   * @param most what the device or the administrator allows, at least 1
   * @param guarantees whether a guarantee is set
   */
  public static int defaultDepth(int most, boolean guarantees) {
    return guarantees ? Math.min(most, GUARANTEED_DEPTH) : most;
  }
}
