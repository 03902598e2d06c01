package io.isle.api.accel;

/** How a submission came to its end (AccelCompletionStatus, 42.2.3), with the numbers there. */
public enum CompletionStatus {
  /** It did all it was to do; the status is 0. */
  SUCCESS(0),

  /** It failed, was ended with its device or context, or left the device for an administrator. */
  ERROR(1),

  /**
   * It was over its execution limit on a device that cannot take running work off the engine, and
   * failed when it came to a boundary; the status is -ETIMEDOUT.
   */
  TIMEOUT(2),

  /**
   * It was taken off the engine while it ran: over its execution limit, with the status -ETIMEDOUT,
   * or for another context on a device that keeps no progress, with -EINTR. What the platform
   * resumes afterwards is no end and never seen.
   */
  PREEMPTED(3),

  /** Some of it was done, some failed; {@link Completion#detail} is the driver's count. */
  PARTIAL_ERROR(4);

  private static final CompletionStatus[] ALL = values();

  private final int code;

  CompletionStatus(int code) {
    this.code = code;
  }

  /** Its number, 0 to 4. */
  public int code() {
    return code;
  }

  /**
   * The one with this number. Allocates nothing.
   *
   * @throws IllegalArgumentException for another number than 0 to 4
   */
  public static CompletionStatus of(int code) {
    if (code < 0 || code >= ALL.length) {
      throw new IllegalArgumentException("completion status " + code + " is not within 0 to 4");
    }
    return ALL[code];
  }
}
