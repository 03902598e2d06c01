package io.isle.core.accel.memory;

import java.util.Optional;

/**
 * What is lost of a memory object's contents: for submissions to come, and apart from that for
 * those that were admitted before. Thread-safe.
 */
final class LostContents {
  /** Null if nothing is. */
  private volatile LostRanges now;

  /** What was lost since pending work was checked; null if nothing was. */
  private LostRanges fresh;

  boolean some() {
    return now != null;
  }

  boolean intersects(long offset, long length) {
    LostRanges ranges = now;
    return ranges != null && ranges.intersects(offset, length);
  }

  synchronized void add(long offset, long length) {
    now = with(now, offset, length);
    fresh = with(fresh, offset, length);
  }

  private static LostRanges with(LostRanges ranges, long offset, long length) {
    LostRanges all = ranges == null ? new LostRanges() : ranges;
    all.add(offset, length);
    return all;
  }

  /**
   * A range will be there for what is submitted from now on.
   *
   * @return whether it was the last that had been lost
   */
  synchronized boolean heal(long offset, long length) {
    if (now == null) {
      return false;
    }
    now.remove(offset, length);
    if (!now.isEmpty()) {
      return false;
    }
    now = null;
    return true;
  }

  /** A range is there, for pending work as well; returns as {@link #heal}. */
  synchronized boolean restore(long offset, long length) {
    if (fresh != null) {
      fresh.remove(offset, length);
    }
    return heal(offset, length);
  }

  /** All is there. */
  synchronized void clear() {
    now = null;
    fresh = null;
  }

  /** What was lost since this was asked last. */
  synchronized Optional<LostRanges> takeFresh() {
    Optional<LostRanges> taken = Optional.ofNullable(fresh);
    fresh = null;
    return taken;
  }
}
