package io.isle.api.jobs;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Receives events of a running job, on the thread that runs the job. A slow observer slows the job
 * down.
 */
@ConsumerType
public interface JobObserver {
  /** Ignores all events. */
  JobObserver NONE = new JobObserver() {};

  /** The job file is valid, and the job begins. */
  default void started(JobInfo job) {}

  /**
   * Processed bytes of input.
   *
   * @param done so far
   * @param total of all; -1 if unknown
   */
  default void progress(long done, long total) {}

  /**
   * Turns of a loop, at most about ten times a second.
   *
   * @param step name of the step
   * @param done finished so far; smaller again after a crash
   * @param total of all, unless the loop ends early
   */
  default void turn(String step, long done, long total) {}

  /** The job waits until its device accepts work again. */
  default void recovering(String device) {}

  /** Printed text of a step, UTF-8, whole lines; the array is reused after the call. */
  default void print(byte[] text, int length) {}
}
