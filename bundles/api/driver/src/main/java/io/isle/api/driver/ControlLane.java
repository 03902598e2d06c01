package io.isle.api.driver;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The queue for control calls of one process of a driver. Calls run one at a time, in order, each
 * with a time limit. {@code core/drivers} makes the lane when the process has opened the device,
 * makes all of its own control calls through the lane, and ends the lane when the device is taken
 * away. A call that does not return in time fails the device, or the group of the process; so does
 * an answer ENODEV of the driver. Thread-safe.
 *
 * <p>All calls of an operation run as one unit. An operation must not use the lane again (EDEADLK).
 */
@ProviderType
public interface ControlLane {
  /**
   * Makes control calls and waits for their end.
   *
   * @param what name of the call for messages, such as "allocate"
   * @throws DriverException the driver's code; EINTR if the device is taken away during or before
   *     the call; ETIMEDOUT; EIO for an unexpected exception of the driver; ENOMEM if no thread can
   *     be started
   */
  <T> T call(String what, Supplier<T> operation);

  /** As {@link #call}, without a result. */
  void run(String what, Runnable operation);

  /**
   * As {@link #call}, for a call that builds {@code programs} programs from source, 0 or more. The
   * time limit of this call, and of calls that come during this call, grows by 60 s for each
   * program.
   */
  <T> T build(String what, int programs, Supplier<T> operation);

  /**
   * Makes a call without waiting.
   *
   * @param done called once in any case, with null or the failure, on a thread of the call; may
   *     block
   */
  void post(String what, Runnable operation, Consumer<DriverException> done);
}
