package io.isle.api.driver;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The way to the control calls of one process of a driver: one at a time, in the order in which
 * they were asked for, each bounded. The owner of drivers makes it when the process has opened the
 * device, makes all of its own control calls on it, and ends it when the device is taken away. A
 * call that does not return in time fails the device, or the group whose process it is; so does one
 * that the driver answers with ENODEV. Thread-safe.
 *
 * <p>What an operation calls is one turn of the lane. It must not call the lane again: that is
 * refused with EDEADLK.
 */
@ProviderType
public interface ControlLane {
  /**
   * Makes control calls and waits for their end.
   *
   * @param what for messages, such as "allocate"
   * @throws DriverException with the driver's code; EINTR when the device is taken away, or is
   *     already; ETIMEDOUT; EIO for what the driver throws by mistake; ENOMEM without a thread
   */
  <T> T call(String what, Supplier<T> operation);

  /** As {@link #call}, without a result. */
  void run(String what, Runnable operation);

  /**
   * As {@link #call}, for one that builds {@code programs} programs from source, 0 or more. It has
   * 60 s more for each, and so have calls that come while it lasts.
   */
  <T> T build(String what, int programs, Supplier<T> operation);

  /**
   * Makes a call that nobody waits for.
   *
   * @param done hears null or why it failed, in any case, once, on a thread of the call's own; may
   *     block
   */
  void post(String what, Runnable operation, Consumer<DriverException> done);
}
