package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;

/** From a driver's answers to the codes that tenants see. Pure functions. */
final class CompletionCodes {
  private CompletionCodes() {}

  /**
   * Code of AccelCompletionStatus.
   *
   * @param detail as the driver says
   * @param stopped why the core stopped it, 0 if it did not
   * @param overdue whether it fails for that although it succeeded
   */
  static int of(int status, int detail, int stopped, boolean overdue) {
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

  /** Whether the device gives work back that has not begun. */
  static boolean isHandedBack(int status, int detail) {
    return status == CompletionSink.PREEMPTED
        && (detail == -Errno.EAGAIN || detail == -Errno.ENODEV);
  }

  /** Whether the driver says that its device is gone, which is no fault of the work. */
  static boolean isGone(int status, int detail) {
    return (status == CompletionSink.ERROR || status == CompletionSink.PREEMPTED)
        && detail == -Errno.ENODEV;
  }

  /**
   * Code of a submission that the driver refused; none gets through that means "not yet", or that
   * the waiting thread was interrupted.
   */
  static int ofRefusal(int result) {
    return switch (result) {
      case -Errno.EINPROGRESS, -Errno.ETIME, -Errno.ECANCELED -> -Errno.EIO;
      default -> result >= 0 ? -Errno.EIO : result;
    };
  }

  /** A device's time, bounded by what can be: not negative and not after {@code now}. */
  static long clampTime(long value, long now) {
    return value < 0 ? 0 : Math.min(value, now);
  }
}
