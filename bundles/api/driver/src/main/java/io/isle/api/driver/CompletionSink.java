package io.isle.api.driver;

/** Where completions go. Any thread, wait-free. */
@FunctionalInterface
public interface CompletionSink {
  int SUCCESS = 0;
  int ERROR = 1;
  int TIMEOUT = 2;
  int PREEMPTED = 3;
  int PARTIAL_ERROR = 4;

  /**
   * Ends the submission with this tag.
   *
   * @param status AccelCompletionStatus, 0 to 4
   * @param startNs when its work began, CLOCK_MONOTONIC; 0 if it never did
   * @param endNs when its work ended
   * @param busyNs time on compute units, summed over units, of this stretch of it; 0 if not known
   * @param detail 0, a negated code, or a count for PARTIAL_ERROR. With PREEMPTED: -EAGAIN says
   *     that the work has not begun, so that the core starts it again in its turn; -ERESTART that
   *     the driver keeps how far it is: the core submits the same envelope again, with another tag
   *     and as the next one of its context, and it goes on from there, unless the context or the
   *     device was reset; -ETIMEDOUT that its execution limit had passed; 0 that it has begun and
   *     nothing is kept, so that it ends for its tenant with EINTR unless it is replayable. With
   *     ERROR: -EIO says that the context is broken until it is reset, which the core then does;
   *     -EHWPOISON that memory has an uncorrectable error, see {@link PageRetirement}. With either:
   *     -ENODEV says that the device is gone, so that the core opens it anew; ERROR counts as
   *     PREEMPTED then
   * @return 0, or -ESTALE when no such submission is in flight, -EINVAL for a bad field
   */
  int complete(long tag, int status, long startNs, long endNs, long busyNs, int detail);
}
