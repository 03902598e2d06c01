package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import java.util.function.Supplier;

/**
 * Builds, one after the other, that their device did not survive, as its process ended or its
 * driver says that it is gone (ENODEV). There are few, so that a source which ends its compiler
 * costs other tenants few recoveries. Thread-safe.
 */
public final class FatalBuilds {
  /** One of them may have ended for another reason. */
  private static final int MOST = 2;

  private int inARow;

  /**
   * On the control lane: builds a program.
   *
   * @throws AccelException EINVAL when too many devices in a row ended or failed; else what {@code
   *     load} throws
   */
  <T> T run(OpenDevice device, Supplier<T> load) {
    begin();
    try {
      T made = load.get();
      end();
      return made;
    } catch (IsleException e) {
      if (e.code() != Errno.ENODEV && device.device().alive()) {
        end();
      }
      throw e;
    }
  }

  private synchronized void begin() {
    if (inARow == MOST) {
      throw new AccelException(
          Errno.EINVAL,
          "no further build: the last "
              + MOST
              + " builds crashed the driver or made its process fail");
    }
    inARow++;
  }

  private synchronized void end() {
    inARow = 0;
  }
}
