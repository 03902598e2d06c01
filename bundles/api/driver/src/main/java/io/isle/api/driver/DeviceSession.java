package io.isle.api.driver;

import java.util.Optional;
import java.util.function.Function;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One opening of a device, or of the process of one group on the device, lent by {@code
 * core/drivers} to a subsystem that acts on the device. A session ends when the device is taken
 * from its driver; the next opening has another session. Thread-safe.
 */
@ProviderType
public interface DeviceSession {
  /** Id of the device, such as {@code soft0}. */
  String id();

  /** The group of this process; empty for the device's own process. */
  Optional<String> group();

  /** Number of the opening of the device; grows with each opening. */
  int epoch();

  /** Properties of the device, constant during the session. */
  DeviceInfo info();

  /**
   * Whether calls are possible: the session has not ended, and the driver can work. Never blocks.
   */
  boolean alive();

  /**
   * Whether the device has an optional interface. Constant during the session; makes no call of the
   * driver.
   *
   * @param extension as for {@link #call}
   */
  boolean has(Class<?> extension);

  /**
   * Makes control calls of the driver on the control lane of the process, after earlier calls, with
   * the time limit {@code control_timeout_ms}. All calls of {@code function} run as one unit on the
   * lane. The function must not keep the interface, and must not call this method. Only {@link
   * HandlerUnits} of a device with processes of groups differs: each of its calls is made on the
   * lane of the process that has the context.
   *
   * @param extension {@link Vitals}, which every device has, or an optional interface, see {@link
   *     AccelDevice#extension}
   * @throws DriverException ENOTSUP if the device lacks the interface; EINTR if the device recovers
   *     or is taken away during the call; ESTALE after another opening; ENODEV after the close of
   *     the device; ETIMEDOUT, which fails the device; EDEADLK inside a function; else the driver's
   *     code
   */
  <X, T> T call(Class<X> extension, Function<X, T> function);
}
