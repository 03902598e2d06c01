package io.isle.apps.jobs.measure;

import io.isle.api.accel.Completion;

/**
 * Hears of a step's work from whoever looks at its {@code StepClock}, or submits; never from the
 * thread of completions.
 */
public interface WorkListener {
  /**
   * A submission has ended, well or not.
   *
   * @param sinceNs when it was submitted, or meant to be
   */
  void ended(long sinceNs, Completion completion);

  /** A piece is done for good, with its results taken. */
  default void finished(long bytes) {}
}
