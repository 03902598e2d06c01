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
  public static Optional<WorkError> of(Seat seat, long point) {
    CompletionLog log = seat.queue().log;
    CompletionStatus outcome = seat.outcome(point);
    int detail = log.detail(point);
    long startNs = log.startNs(point);
    long endNs = log.endNs(point);
    // last: then nothing of it was overwritten meanwhile
    int status = seat.status(point);
    if (!isDrivers(status, outcome)) {
      return Optional.empty();
    }
    // one that was refused has no times
    long toNs = endNs == 0 ? System.nanoTime() : endNs;
    long fromNs = (startNs == 0 ? toNs : startNs) - BEFORE_NS;
    String line =
        seat.bound()
            .flatMap(OpenDevice::log)
            .flatMap(known -> known.newest(fromNs, toNs))
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
