package io.isle.inference.engine.score;

import io.isle.api.base.MonotonicClock;

/**
 * Looks at a score at regular times: some bad looks in a row are a drift, as many good ones end it.
 * A score of too few outcomes says nothing, nor does one without a new outcome. One thread at a
 * time.
 */
public final class DriftMachine {
  /** What a look has found. */
  public enum Look {
    /** Nothing new. */
    NOTHING,
    /** The drift begins. */
    DRIFTED,
    /** The drift has ended. */
    ENDED
  }

  private final MonotonicClock clock;
  private DriftLimits limits;
  private long lastLook;
  private long seen;
  private int inRow;
  private boolean detected;

  /** No drift yet; the first look comes after the time between two. */
  public DriftMachine(DriftLimits limits, MonotonicClock clock) {
    this.limits = limits;
    this.clock = clock;
    lastLook = clock.nanoTime();
  }

  /** Other limits, also for the time of the next look. */
  public void limits(DriftLimits changed) {
    limits = changed;
  }

  /** Whether a score is to be given to {@link #look} now. */
  public boolean isDue() {
    return clock.nanoTime() - lastLook >= limits.lookNs();
  }

  /**
   * Looks, if it is time to.
   *
   * @param window the recent score
   * @param total outcomes in all so far
   */
  public Look look(Score window, long total) {
    if (!isDue()) {
      return Look.NOTHING;
    }
    lastLook = clock.nanoTime();
    if (window.outcomes() < limits.outcomes() || total == seen) {
      return Look.NOTHING;
    }
    seen = total;
    // Looks that agree with what is known already begin the row anew.
    inRow = limits.isBad(window) != detected ? inRow + 1 : 0;
    if (inRow < limits.looks()) {
      return Look.NOTHING;
    }
    inRow = 0;
    detected = !detected;
    return detected ? Look.DRIFTED : Look.ENDED;
  }

  /** Whether the model decides badly. */
  public boolean detected() {
    return detected;
  }

  /** Goes on with a drift that was there before a restart. */
  public void restore(boolean wasDetected) {
    detected = wasDetected;
    inRow = 0;
  }
}
