package io.isle.core.accel.admission;

import io.isle.core.accel.usage.Tally;
import io.isle.core.accel.usage.WaitTimes;

/** A living context as its group sees it: what it has had, and how it is ended. Thread-safe. */
public interface Member {
  /** What it had so far. */
  Tally.Counts counts();

  /** How long its submissions waited. */
  WaitTimes waits();

  /** Submissions that wait. */
  long pending();

  /** Submissions that are on the device. */
  long running();

  /**
   * Takes no more work, and has what is on the device leave it.
   *
   * @param why said to its tenant and in the book
   * @return the rest, to be run once: waits until its work has left the device
   */
  Runnable evict(String why);
}
