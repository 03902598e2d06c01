package io.isle.core.drivers.supervision;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DriverException;

/**
 * What the end of an attempt to open a device says.
 *
 * @param cause for people and for the count of breaches
 * @param refused the driver works but said no: the next attempt would end the same
 * @param defect what was thrown, if it was no refusal of any kind but a defect; else null
 */
record AttemptFailure(RecoveryCause cause, boolean refused, Throwable defect) {
  static AttemptFailure of(Throwable thrown) {
    String text = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    if (!(thrown instanceof IsleException known)) {
      return new AttemptFailure(new RecoveryCause(Kind.EXCEPTION, text), false, thrown);
    }
    return switch (known.code()) {
      case Errno.EPROTO -> broken(Kind.PROTOCOL, text);
      case Errno.ETIMEDOUT -> broken(Kind.HANG, text);
      // a control lane says EINTR where the driver said that its device is gone
      case Errno.ENODEV, Errno.EINTR -> broken(Kind.CRASH, text);
      case Errno.EIO -> broken(Kind.EXCEPTION, text);
      // the core may be short of something for a moment, with any code
      default ->
          new AttemptFailure(
              new RecoveryCause(Kind.EXCEPTION, text), known instanceof DriverException, null);
    };
  }

  /** The device was lost during the attempt. */
  static AttemptFailure of(RecoveryCause cause) {
    return new AttemptFailure(cause, false, null);
  }

  private static AttemptFailure broken(Kind kind, String text) {
    return new AttemptFailure(new RecoveryCause(kind, text), false, null);
  }
}
