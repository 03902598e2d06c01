package io.isle.core.accel.queue;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;

/** From a driver's answers to the codes that tenants see. Pure functions. */
public final class CompletionCodes {
  private CompletionCodes() {}

  /**
   * Code of AccelCompletionStatus.
   *
   * @param detail as the driver says
   * @param stopped why the core stopped it, 0 if it did not
   * @param overdue whether it fails for that although it succeeded
   */
  public static int of(int status, int detail, int stopped, boolean overdue) {
    if (stopped != 0 && (overdue || status != CompletionSink.SUCCESS)) {
      return stopped;
    }
    return switch (status) {
      case CompletionSink.SUCCESS -> 0;
      case CompletionSink.TIMEOUT -> -Errno.ETIMEDOUT;
      case CompletionSink.PREEMPTED -> -Errno.EINTR;
      default -> isGone(status, detail) ? -Errno.EINTR : -Errno.EIO;
    };
  }

  /**
   * How a submission that the device ended came to that.
   *
   * @param status AccelCompletionStatus, as the driver says
   * @param code what it came to, as {@link #of} says
   * @param stopped why the core stopped it, 0 if it did not
   * @param evicted whether it was asked to leave for an administrator
   */
  public static CompletionStatus outcome(
      int status, int detail, int code, int stopped, boolean evicted) {
    boolean preempted = status == CompletionSink.PREEMPTED && !isGone(status, detail);
    if (code == 0 || code == -Errno.ETIMEDOUT) {
      return preempted && code != 0 ? CompletionStatus.PREEMPTED : outcome(code);
    }
    if (stopped != 0 || evicted && preempted) {
      return CompletionStatus.ERROR;
    }
    return preempted
        ? CompletionStatus.PREEMPTED
        : status == CompletionSink.PARTIAL_ERROR
            ? CompletionStatus.PARTIAL_ERROR
            : CompletionStatus.ERROR;
  }

  /** How a submission came to its end that the core ended, or that nobody knows more of. */
  public static CompletionStatus outcome(int code) {
    return switch (code) {
      case 0 -> CompletionStatus.SUCCESS;
      case -Errno.ETIMEDOUT -> CompletionStatus.TIMEOUT;
      default -> CompletionStatus.ERROR;
    };
  }

  /**
   * Whether work that had begun left the device with its progress kept there: submitted again it
   * goes on where it stopped.
   */
  public static boolean isResumable(int status, int detail) {
    return status == CompletionSink.PREEMPTED && detail == -Errno.ERESTART;
  }

  /** Whether the device gives work back that has not begun. */
  public static boolean isHandedBack(int status, int detail) {
    return status == CompletionSink.PREEMPTED
        && (detail == -Errno.EAGAIN || detail == -Errno.ENODEV);
  }

  /** Whether the driver says that work failed. */
  public static boolean isError(int status, int detail) {
    boolean error = status == CompletionSink.ERROR || status == CompletionSink.PARTIAL_ERROR;
    return error && !isGone(status, detail);
  }

  /** Whether the driver says that its device is gone, which is no fault of the work. */
  public static boolean isGone(int status, int detail) {
    return (status == CompletionSink.ERROR || status == CompletionSink.PREEMPTED)
        && detail == -Errno.ENODEV;
  }

  /**
   * Code of a submission that the driver refused; none gets through that means "not yet", or that
   * the waiting thread was interrupted, and none that is no code.
   */
  public static int ofRefusal(int result) {
    return switch (result) {
      case -Errno.EINPROGRESS, -Errno.ETIME, -Errno.ECANCELED -> -Errno.EIO;
      default -> result >= 0 || result < -Errno.ECLOSED ? -Errno.EIO : result;
    };
  }

  /** A device's time, bounded by what can be: not negative and not after {@code now}. */
  public static long clampTime(long value, long now) {
    return value < 0 ? 0 : Math.min(value, now);
  }
}
