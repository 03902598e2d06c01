package io.isle.core.accel.usage;

import org.HdrHistogram.Histogram;

/**
 * What a context, or all of a group on a device, has had so far. Belongs to a lock of its owner.
 */
public final class Tally {
  /**
   * Counters of one context at one time.
   *
   * @param givenNs time of the whole device
   * @param busyNs summed over compute units
   */
  public record Counts(
      long givenNs,
      long busyNs,
      long submitted,
      long preemptions,
      long overruns,
      long throttledNs) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

    public Counts plus(Counts other) {
      return new Counts(
          givenNs + other.givenNs,
          busyNs + other.busyNs,
          submitted + other.submitted,
          preemptions + other.preemptions,
          overruns + other.overruns,
          throttledNs + other.throttledNs);
    }

    public Counts minus(Counts other) {
      return new Counts(
          givenNs - other.givenNs,
          busyNs - other.busyNs,
          submitted - other.submitted,
          preemptions - other.preemptions,
          overruns - other.overruns,
          throttledNs - other.throttledNs);
    }
  }

  private final ShareWindow window;
  private Counts counts = Counts.NONE;

  /** Waits of contexts that have ended; null while there is none. */
  private Histogram ended;

  public Tally(long nowNs) {
    window = new ShareWindow(nowNs, 0);
  }

  public void add(Counts more) {
    counts = counts.plus(more);
  }

  /** A context has ended: how long its submissions waited counts on. */
  public void addEnded(WaitTimes waits) {
    if (ended == null) {
      ended = WaitTimes.histogram();
    }
    waits.addTo(ended);
  }

  public Counts counts() {
    return counts;
  }

  public ShareWindow.Share share(long nowNs) {
    return window.look(nowNs, counts.givenNs());
  }

  /** Adds the waits of contexts that have ended. */
  public void addTo(Histogram sum) {
    if (ended != null) {
      sum.add(ended);
    }
  }
}
