package io.isle.core.accel.audit;

import io.isle.api.accel.AccelAdmin.WorkErrorInfo;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.observe.AuditTrail;
import io.isle.core.accel.agent.WorkErrorListener;
import io.isle.core.accel.queue.DriverErrors;
import io.isle.core.accel.queue.QueueRecord;
import java.util.Optional;

/**
 * Writes down what a device's driver ended with an error, in the log and in the audit book, and
 * keeps the newest. Thread-safe.
 */
public final class WorkErrorBook implements WorkErrorListener {
  private static final System.Logger LOG = System.getLogger(WorkErrorBook.class.getName());

  private final String deviceId;
  private final AuditTrail audit;
  private volatile WorkErrorInfo newest;

  public WorkErrorBook(String deviceId, AuditTrail audit) {
    this.deviceId = deviceId;
    this.audit = audit;
  }

  public Optional<WorkErrorInfo> newest() {
    return Optional.ofNullable(newest);
  }

  @Override
  public void failed(QueueRecord record, long point, long count) {
    DriverErrors.recorded(record, point).ifPresent(error -> failed(record, error, count));
  }

  private void failed(QueueRecord record, WorkError error, long count) {
    newest =
        new WorkErrorInfo(
            deviceId,
            Ids.text(record.id()),
            record.capability().tenant(),
            error,
            System.currentTimeMillis(),
            count);
    LOG.log(
        System.Logger.Level.WARNING,
        "{0}: the driver ended submission {1} with an error: {2} (error number {3} of this device)",
        record.who(),
        Long.toString(error.point()),
        error.text(),
        Long.toString(count));
    audit.record(
        AuditTrail.tenant(
                "work.failed", record.capability().tenant(), record.capability().id(), deviceId)
            .object(Ids.text(record.id()))
            .failed(known(error.code()), error.text()));
  }

  /** A driver may say any number. */
  private static int known(int code) {
    return code < 0 && code >= -Errno.ECLOSED ? -code : Errno.EIO;
  }
}
