package io.isle.core.accel.queue;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.core.accel.device.OpenDevice;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds out what a driver said of work that it ended with an error. */
public final class DriverErrors {
  /** A line that was logged so long before the work began may be about it. */
  private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(1);

  private DriverErrors() {}

  /** Empty for work that has not ended so, or of which nothing is known any more. */
  public static Optional<WorkError> of(QueueRecord record, long point) {
    return isDrivers(record.status(point), record.outcome(point))
        ? recorded(record, point)
        : Optional.empty();
  }

  /**
   * As {@link #of}, for a point that the agent has recorded: those before it may still run, and
   * until they have ended its status says nothing.
   */
  public static Optional<WorkError> recorded(QueueRecord record, long point) {
    CompletionLog log = record.queue().log;
    CompletionStatus outcome = log.outcome(point);
    int status = log.code(point);
    int detail = log.detail(point);
    long startNs = log.startNs(point);
    long endNs = log.endNs(point);
    // last: then nothing of it was overwritten meanwhile
    boolean known = record.queue().timeline.submitted() - point < log.capacity();
    if (!known || !isDrivers(status, outcome)) {
      return Optional.empty();
    }
    // one that was refused has no times
    long toNs = endNs == 0 ? System.nanoTime() : endNs;
    long fromNs = (startNs == 0 ? toNs : startNs) - BEFORE_NS;
    String line =
        record
            .bound()
            .flatMap(OpenDevice::log)
            .flatMap(lines -> lines.newest(fromNs, toNs))
            .orElse("");
    boolean counts = outcome == CompletionStatus.PARTIAL_ERROR;
    return Optional.of(
        new WorkError(point, outcome, detail != 0 || counts ? detail : status, line));
  }

  /** Whether the driver ended it, rather than the core. */
  private static boolean isDrivers(int status, CompletionStatus outcome) {
    boolean error = outcome == CompletionStatus.ERROR || outcome == CompletionStatus.PARTIAL_ERROR;
    return switch (status) {
      case 0,
          -Errno.EINPROGRESS,
          -Errno.ESTALE,
          -Errno.EINTR,
          -Errno.ECLOSED,
          -Errno.ENODATA,
          -Errno.EREVOKED,
          -Errno.ETIMEDOUT ->
          false;
      default -> error;
    };
  }
}
