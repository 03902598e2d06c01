package io.isle.core.display;

import io.isle.api.driver.DeviceSession;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which session of a device has its screens as they are kept: the one that tenants use, one that is
 * set up for them, or none. Thread-safe.
 */
final class Opening {
  /** What tenants use; null while there is none. */
  private DeviceSession present;

  /** What is being set up, and what has been; null if nothing is. */
  private DeviceSession begun;

  private DeviceSession done;

  /** Tenants use nothing: the device is taken away. */
  synchronized void end() {
    present = null;
    begun = null;
    done = null;
  }

  /** What was there before has nothing for tenants any more. */
  synchronized void begin(DeviceSession session) {
    end();
    begun = session;
  }

  /** All is set up, unless it was taken away meanwhile. */
  synchronized void finish(DeviceSession session) {
    if (begun == session) {
      done = session;
    }
  }

  /** Whether it is set up. */
  synchronized boolean has(DeviceSession session) {
    return done == session;
  }

  /** Tenants use it from now on, if it is set up. */
  synchronized boolean use(DeviceSession session) {
    if (done != session) {
      return false;
    }
    present = session;
    return true;
  }

  /** What tenants use. */
  synchronized Optional<DeviceSession> present() {
    return Optional.ofNullable(present);
  }

  /** The epoch of the session that is set up. */
  synchronized OptionalInt epoch() {
    return done == null ? OptionalInt.empty() : OptionalInt.of(done.epoch());
  }

  /** Whether something can still be done with one, or soon. */
  synchronized boolean isAlive() {
    return begun != null && begun.alive();
  }

  /**
   * Does it if tenants still use the session, before it can be taken away: the next one would not
   * have it.
   */
  synchronized boolean whilePresent(DeviceSession session, Runnable change) {
    if (present != session) {
      return false;
    }
    change.run();
    return true;
  }
}
