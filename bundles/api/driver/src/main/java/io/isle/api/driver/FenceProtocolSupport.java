package io.isle.api.driver;

/**
 * What a device can do about fences by itself (FenceProtocolSupport, 42.2.3). What it cannot, the
 * core does: a submission is handed over when its waits are over.
 *
 * @param timelineSemaphores its contexts' fences are timelines; without it, only the newest point
 *     of a context can be waited for on the device
 * @param hwCrossDevice it can wait for points of other devices that have this too
 * @param cpuSignal it can wait for points that the CPU signals
 * @param maxFenceValue largest value of a fence before it starts again at 0; 0 for no limit
 */
public record FenceProtocolSupport(
    boolean timelineSemaphores, boolean hwCrossDevice, boolean cpuSignal, long maxFenceValue) {
  /** Smallest limit: values must tell a point from the one before and the one after it. */
  public static final long LEAST_MAX_VALUE = 3;

  /** Of a device that does not say: the core keeps its timelines and all of its waits. */
  public static final FenceProtocolSupport BY_CORE =
      new FenceProtocolSupport(true, false, false, 0);

  public FenceProtocolSupport {
    if (maxFenceValue < 0 || maxFenceValue > 0 && maxFenceValue < LEAST_MAX_VALUE) {
      throw new IllegalArgumentException(
          "maxFenceValue: " + maxFenceValue + " is neither 0 nor at least " + LEAST_MAX_VALUE);
    }
  }

  /**
   * Whether a timeline at the value {@code current} has reached {@code awaited}, over the wrap:
   * right while one is at most half of all values ahead of the other.
   *
   * @param current 0 to {@link #maxFenceValue}, as {@code awaited}
   */
  public boolean reached(long current, long awaited) {
    long ahead = current - awaited;
    if (maxFenceValue == 0 || maxFenceValue == Long.MAX_VALUE) {
      return ahead >= 0;
    }
    return (ahead < 0 ? ahead + maxFenceValue + 1 : ahead) <= maxFenceValue / 2;
  }
}
