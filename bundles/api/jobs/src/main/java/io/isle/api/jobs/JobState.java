package io.isle.api.jobs;

import java.util.Locale;

/** State of a job. */
public enum JobState {
  /** The job runs. */
  RUNNING,
  /** The job succeeded, and every claim holds. */
  DONE,
  /** The job ended with an error or with a claim that does not hold. */
  FAILED,
  /** A user cancelled the job. */
  CANCELLED;

  /** Lower case, as in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
