package io.isle.api.jobs;

import java.util.Locale;

/** Where a job stands. */
public enum JobState {
  RUNNING,
  /** Ended well, every claim held. */
  DONE,
  /** Ended with an error or with a claim that does not hold. */
  FAILED,
  /** Stopped by a user. */
  CANCELLED;

  /** Lower case, as in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
