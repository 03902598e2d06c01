package io.isle.core.accel.machine;

/**
 * Tells submissions that count from those that a slow thread published late: each carries the stamp
 * of the context's state that it was admitted in. Not thread-safe.
 */
final class Admissions {
  /** Oldest stamp that counts; an older one was admitted before contents were lost. */
  private final int[] oldest;

  /** Whether older stamps count as well. */
  private final boolean[] lateAllowed;

  Admissions(int contexts) {
    oldest = new int[contexts];
    lateAllowed = new boolean[contexts];
  }

  /**
   * Stamps before {@code stamp} do not count any more.
   *
   * @param allowLate they do, for nothing was lost
   */
  void since(int c, int stamp, boolean allowLate) {
    oldest[c] = stamp;
    lateAllowed[c] = allowLate;
  }

  boolean counts(int c, int stamp) {
    return stamp - oldest[c] >= 0 || lateAllowed[c];
  }
}
