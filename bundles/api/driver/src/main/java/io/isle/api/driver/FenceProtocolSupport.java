package io.isle.api.driver;

/**
 * The fence support of a device (FenceProtocolSupport, 42.2.3). The core keeps all waits that the
 * device does not support, and passes a submission to the device after these waits.
 *
 * @param timelineSemaphores whether the fences of its contexts are timelines; otherwise work can
 *     wait on the device only for the newest point of a context
 * @param hwCrossDevice whether the device can wait for points of other devices with this flag
 * @param cpuSignal whether the device can wait for points that the CPU signals
 * @param maxFenceValue largest value of a fence, after which values start again at 0; 0 for no
 *     limit
 */
public record FenceProtocolSupport(
    boolean timelineSemaphores, boolean hwCrossDevice, boolean cpuSignal, long maxFenceValue) {
  /** Smallest limit: a value must differ from the values before and after. */
  public static final long LEAST_MAX_VALUE = 3;

  /** No support: the core keeps timelines and all waits. */
  public static final FenceProtocolSupport BY_CORE =
      new FenceProtocolSupport(true, false, false, 0);

  public FenceProtocolSupport {
    if (maxFenceValue < 0 || maxFenceValue > 0 && maxFenceValue < LEAST_MAX_VALUE) {
      throw new IllegalArgumentException(
          "maxFenceValue: " + maxFenceValue + " is neither 0 nor at least " + LEAST_MAX_VALUE);
    }
  }

  /**
   * Whether a timeline with the value {@code current} has reached {@code awaited}, across the wrap.
   * The result is right if both values are at most half of the range apart.
   *
   * @param current 0 to {@link #maxFenceValue}
   * @param awaited 0 to {@link #maxFenceValue}
   */
  public boolean reached(long current, long awaited) {
    long ahead = current - awaited;
    if (maxFenceValue == 0 || maxFenceValue == Long.MAX_VALUE) {
      return ahead >= 0;
    }
    return (ahead < 0 ? ahead + maxFenceValue + 1 : ahead) <= maxFenceValue / 2;
  }
}
