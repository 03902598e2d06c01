package io.isle.api.accel;

/**
 * Kinds of ends of submissions (AccelCompletionStatus, 42.2.3), with the numbers of the driver ABI.
 */
public enum CompletionStatus {
  /** The whole submission was done; the status is 0. */
  SUCCESS(0),

  /**
   * The submission failed, ended with its device or context, or was removed from the device by an
   * administrator.
   */
  ERROR(1),

  /**
   * The submission exceeded its execution limit on a device that cannot stop running work, and
   * failed at its next boundary; the status is -ETIMEDOUT.
   */
  TIMEOUT(2),

  /**
   * The submission was taken off the engine: at its execution limit, with the status -ETIMEDOUT, or
   * for another context on a device that keeps no progress, with the status -EINTR. Work that the
   * platform resumes later has not ended and never has this status.
   */
  PREEMPTED(3),

  /**
   * A part of the submission was done, another part failed; {@link Completion#detail} is the
   * driver's count.
   */
  PARTIAL_ERROR(4);

  private static final CompletionStatus[] ALL = values();

  private final int code;

  CompletionStatus(int code) {
    this.code = code;
  }

  /** The number in the driver ABI, 0 to 4. */
  public int code() {
    return code;
  }

  /**
   * The status with this number. Allocates nothing.
   *
   * @throws IllegalArgumentException for a number outside of 0 to 4
   */
  public static CompletionStatus of(int code) {
    if (code < 0 || code >= ALL.length) {
      throw new IllegalArgumentException("completion status " + code + " is not within 0 to 4");
    }
    return ALL[code];
  }
}
