package io.isle.apps.jobs.data;

import java.lang.foreign.MemorySegment;

/** Compares element by element; what is not a number equals what is not one. */
public final class Tolerance {
  private final double absolute;
  private final double relative;

  public Tolerance(double absolute, double relative) {
    this.absolute = absolute;
    this.relative = relative;
  }

  /**
   * The first element that differs by more than is allowed, or -1.
   *
   * @param count elements from the start of both
   */
  public long first(
      ElementType foundType,
      MemorySegment found,
      ElementType expectedType,
      MemorySegment expected,
      long count) {
    boolean exact =
        foundType == expectedType && !foundType.isReal() && absolute == 0 && relative == 0;
    for (long i = 0; i < count; i++) {
      boolean same =
          exact
              ? foundType.whole(found, i) == expectedType.whole(expected, i)
              : close(foundType.real(found, i), expectedType.real(expected, i));
      if (!same) {
        return i;
      }
    }
    return -1;
  }

  private boolean close(double found, double expected) {
    return found == expected
        || (Double.isNaN(found) && Double.isNaN(expected))
        || (Double.isFinite(expected)
            && Math.abs(found - expected) <= absolute + relative * Math.abs(expected));
  }
}
