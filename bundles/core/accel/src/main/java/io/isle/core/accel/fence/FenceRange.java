package io.isle.core.accel.fence;

/**
 * Fence values of a device that start again at 0 after the largest one. The core's points have 64
 * bits; a value is a point modulo the number of values. Two values can be compared while their
 * points are at most half of the range apart; who does is the device. Immutable, pure.
 */
public final class FenceRange {
  private final long most;

  /**
   * @param most largest value, at least 3; 0 for no limit
   */
  public FenceRange(long most) {
    if (most < 0 || most > 0 && most < 3) {
      throw new IllegalArgumentException("most: " + most + " is neither 0 nor at least 3");
    }
    // a range of all longs never wraps
    this.most = most == Long.MAX_VALUE ? 0 : most;
  }

  /** Most points that may lie between two values that are compared. */
  public long window() {
    return most == 0 ? Long.MAX_VALUE : most / 2;
  }

  /** The device's value of a point of 0 or more. */
  public long value(long point) {
    return most == 0 ? point : point % (most + 1);
  }
}
