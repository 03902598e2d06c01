package io.isle.inference.engine.decide;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counters of one model since it was loaded. Deciders count in several lines of memory. */
public final class ModelStats {
  /** What is counted. */
  public enum Count {
    /** Calls whose time was not measured. */
    UNTIMED,
    /** Calls whose time was measured. */
    TIMED,
    /** Nanoseconds of these calls. */
    TIMED_NS,
    /** Decisions of the rule while the model was the one to serve. */
    FALLBACKS,
    /** Calls without an answer, by the model's own choice. */
    ABSTAINED,
    /** Calls with an output out of its range. */
    INVALID,
    /** Calls with a feature out of the trained range. */
    OUTSIDE,
    /** Calls over the limit of time that were within it when repeated. */
    INTERRUPTED
  }

  /** Lines; a power of two. */
  static final int STRIPES = 16;

  private static final int FIELDS = Count.values().length;

  private final AtomicLongArray counts = new AtomicLongArray(STRIPES * FIELDS);

  void add(int stripe, Count what, long value) {
    long ignored = counts.addAndGet((stripe & STRIPES - 1) * FIELDS + what.ordinal(), value);
  }

  /** The sum of all deciders. */
  public long total(Count what) {
    long sum = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      sum += counts.get(stripe * FIELDS + what.ordinal());
    }
    return sum;
  }

  /** Calls of the model. */
  public long invocations() {
    return total(Count.UNTIMED) + total(Count.TIMED);
  }

  /** Mean time of a measured call in nanoseconds; 0 without one. */
  public long latencyNs() {
    long timed = total(Count.TIMED);
    return timed == 0 ? 0 : total(Count.TIMED_NS) / timed;
  }
}
