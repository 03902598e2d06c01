package io.isle.api.jobs;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Hears of a running job. Calls come from the thread that runs the job; they may block, which slows
 * the job down.
 */
@ConsumerType
public interface JobObserver {
  /** Ignores everything. */
  JobObserver NONE = new JobObserver() {};

  /** The job file was found good and the job begins. */
  default void started(JobInfo job) {}

  /**
   * Bytes of input that were worked through.
   *
   * @param total -1 when it is not known
   */
  default void progress(long done, long total) {}

  /** The job waits until its device takes work again. */
  default void recovering(String device) {}

  /** Text that a step prints, UTF-8, whole lines; the array is reused after the call. */
  default void print(byte[] text, int length) {}
}
