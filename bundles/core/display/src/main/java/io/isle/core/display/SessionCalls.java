package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes calls of the session that tenants of one device use. Thread-safe. */
final class SessionCalls {
  private final String deviceId;
  private final Gate gate;
  private final Opening opening;
  private final Supplier<AccelException> absent;

  /**
   * @param absent says why the device is not open
   */
  SessionCalls(String deviceId, Gate gate, Opening opening, Supplier<AccelException> absent) {
    this.deviceId = deviceId;
    this.gate = gate;
    this.opening = opening;
    this.absent = absent;
  }

  /**
   * Does something with the present session, before the bundle stops.
   *
   * @throws AccelException ENODEV; EINTR; ECLOSED
   */
  <T> T with(Function<DeviceSession, T> work) {
    return gate.pass(() -> work.apply(opening.present().orElseThrow(absent)));
  }

  /** As {@link #call}, for one that returns nothing. */
  void run(DeviceSession session, String what, Consumer<Display> work) {
    boolean ignored =
        call(
            session,
            what,
            Display.class,
            display -> {
              work.accept(display);
              return true;
            });
  }

  /**
   * Changes what is kept, as the session has it now; may be done within a {@link #call}.
   *
   * @throws AccelException EINTR when the device was taken away: the next opening would not have it
   */
  void change(DeviceSession session, String what, Runnable change) {
    if (!opening.whilePresent(session, change)) {
      throw recovers(what, null);
    }
  }

  /** As {@link #change}, with a result. */
  <T> T keep(DeviceSession session, String what, Supplier<T> change) {
    AtomicReference<T> result = new AtomicReference<>();
    change(session, what, () -> result.set(change.get()));
    return result.get();
  }

  /**
   * @param what for messages, such as "flip"
   * @param extension {@link Display} or {@link io.isle.api.driver.Scanout}
   * @throws AccelException with the driver's code; EINTR when the device is taken away; ENOTSUP
   *     when it lacks the extension; ETIMEDOUT
   */
  <X, T> T call(DeviceSession session, String what, Class<X> extension, Function<X, T> function) {
    if (!session.has(extension)) {
      throw failure(
          Errno.ENOTSUP,
          what,
          extension == Display.class
              ? "the device has no display"
              : "the driver cannot read back the screen's picture",
          null);
    }
    try {
      return session.call(extension, function);
    } catch (DriverException e) {
      // another opening has followed; of a driver it means a framebuffer that is gone
      if (e.code() == Errno.ESTALE && !session.alive()) {
        throw recovers(what, e);
      }
      throw refused(what, e);
    }
  }

  /** What a session says names the device already; what was said within the call is its cause. */
  private AccelException refused(String what, DriverException e) {
    if (e.getCause() instanceof AccelException own) {
      return new AccelException(own.code(), own.getMessage(), e);
    }
    return e.getCause() instanceof IsleException said && said.code() == e.code()
        ? failure(e.code(), what, said.getMessage(), e)
        : new AccelException(e.code(), e.getMessage(), e);
  }

  /** The device has been taken away. */
  AccelException recovers(String what, Throwable cause) {
    return failure(Errno.EINTR, what, "the device recovers; try again in a moment", cause);
  }

  AccelException failure(int code, String what, String why, Throwable cause) {
    return new AccelException(code, deviceId + ": " + what + ": " + why, cause);
  }
}
