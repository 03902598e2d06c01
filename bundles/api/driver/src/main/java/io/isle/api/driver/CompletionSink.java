package io.isle.api.driver;

/** Receives completions of a device. Any thread may call it; wait-free. */
@FunctionalInterface
public interface CompletionSink {
  /** Status: the submission was done. */
  int SUCCESS = 0;

  /** Status: the submission failed. */
  int ERROR = 1;

  /** Status: the submission exceeded its limit and failed at a boundary. */
  int TIMEOUT = 2;

  /** Status: the submission left the engine. */
  int PREEMPTED = 3;

  /** Status: a part of the submission failed. */
  int PARTIAL_ERROR = 4;

  /**
   * Ends the submission with this tag.
   *
   * <p>Details with PREEMPTED: -EAGAIN, the work has not begun, and the core starts it again in its
   * turn. -ERESTART, the driver keeps the progress: the core submits the same envelope again, with
   * another tag and as the next work of its context, and the work continues from this progress,
   * unless the context or the device was reset. -ETIMEDOUT, the execution limit had passed. 0, the
   * work has begun and the driver keeps no progress: the submission ends for its tenant with EINTR
   * unless it is replayable.
   *
   * <p>Details with ERROR: -EIO, the context is unusable until a reset, which the core then makes.
   * -EHWPOISON, memory has an uncorrectable error, see {@link PageRetirement}. With ERROR or
   * PREEMPTED: -ENODEV, the device is gone, and the core opens the device again; ERROR counts as
   * PREEMPTED then.
   *
   * @param status AccelCompletionStatus, 0 to 4
   * @param startNs begin of the work, CLOCK_MONOTONIC; 0 if the work never began
   * @param endNs end of the work, CLOCK_MONOTONIC
   * @param busyNs time on compute units of this stretch of the work, summed over units; 0 if
   *     unknown
   * @param detail 0, a negated code, or a count for PARTIAL_ERROR
   * @return 0, or -ESTALE if no such submission is in flight, -EINVAL for a bad field
   */
  int complete(long tag, int status, long startNs, long endNs, long busyNs, int detail);
}
