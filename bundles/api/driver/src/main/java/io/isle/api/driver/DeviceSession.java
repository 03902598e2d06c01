package io.isle.api.driver;

import java.util.Optional;
import java.util.function.Function;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One opening of a device, or of the process of one group on it, lent by the owner of drivers to
 * subsystems that act on the device. It ends when the device is taken from its driver; the next
 * opening has a session of its own. Thread-safe.
 */
@ProviderType
public interface DeviceSession {
  /** Id of the device, such as {@code soft0}. */
  String id();

  /** The group whose process this is; empty for the device's own. */
  Optional<String> group();

  /** Number of the opening of the device; grows with each. */
  int epoch();

  /** Constant. */
  DeviceInfo info();

  /** Whether calls can be made: not ended, and the driver can do work. Never blocks. */
  boolean alive();

  /**
   * Whether the device has an optional part. Constant while the session lasts; no call of the
   * driver.
   *
   * @param extension as {@link #call} takes it
   */
  boolean has(Class<?> extension);

  /**
   * Makes control calls of the driver: on the control lane of the process, after the calls that
   * came before, bounded by {@code control_timeout_ms}. Everything that {@code function} calls of
   * the extension is one turn of the lane; the extension is not to be kept or used after it. Must
   * not be called from within a function.
   *
   * @param extension {@link Vitals}, which every device has, or an optional part, see {@link
   *     AccelDevice#extension}
   * @throws DriverException ENOTSUP when the device lacks the extension; EINTR when the device
   *     recovers, or was taken away during the call; ESTALE when another opening has followed;
   *     ENODEV when it was closed; ETIMEDOUT, which fails the device; EDEADLK from within a
   *     function; else what the driver answers
   */
  <X, T> T call(Class<X> extension, Function<X, T> function);
}
