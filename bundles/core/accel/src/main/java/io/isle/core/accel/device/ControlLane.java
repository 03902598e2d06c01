package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.driver.DriverException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The control lane of one open device, as tenants hear of it: what it throws carries its code. */
public final class ControlLane {
  private final io.isle.api.driver.ControlLane lane;

  public ControlLane(io.isle.api.driver.ControlLane lane) {
    this.lane = lane;
  }

  /**
   * Makes a call of the driver.
   *
   * @param what for messages, such as "allocate"
   * @throws AccelException with the driver's code; EINTR when the device is taken away; ETIMEDOUT
   */
  public <T> T call(String what, Supplier<T> operation) {
    try {
      return lane.call(what, operation);
    } catch (DriverException e) {
      throw told(e);
    }
  }

  /** As {@link #call}, for one that builds {@code programs} programs from source. */
  public <T> T build(String what, int programs, Supplier<T> operation) {
    try {
      return lane.build(what, programs, operation);
    } catch (DriverException e) {
      throw told(e);
    }
  }

  public void run(String what, Runnable operation) {
    try {
      lane.run(what, operation);
    } catch (DriverException e) {
      throw told(e);
    }
  }

  /** Makes a call that nobody waits for; {@code done} hears null or why it failed, in any case. */
  public void post(String what, Runnable operation, Consumer<AccelException> done) {
    lane.post(what, operation, e -> done.accept(e == null ? null : told(e)));
  }

  static AccelException told(DriverException e) {
    return new AccelException(e.code(), e.getMessage(), e);
  }
}
