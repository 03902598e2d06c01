package io.isle.core.drivers.driver;

import io.isle.api.driver.AccelDevice;
import java.util.List;
import java.util.Optional;

/** An open device, as its supervisor sees it. */
public interface OpenedDevice {
  AccelDevice device();

  /** The process that its driver runs in, if it has one of its own; always the same one. */
  Optional<DriverProcess> process();

  /** Names of services that the device publishes. */
  List<String> services();

  /** Negotiated interfaces, a line each. */
  List<String> interfaces();

  /** Logs what the driver has logged since the last time, where that does not come by itself. */
  void tellLog();

  /**
   * Takes the device from its driver, bounded. When this returns nothing of the driver uses the
   * device any more, unless it runs in this process and hangs: that cannot be ended.
   *
   * @param orderly the driver is asked to close the device; else it is ended by force where it can
   *     be
   */
  void end(boolean orderly);

  /**
   * Unloads a library of this process and gives back the memory that was shared with the driver;
   * may wait. After {@link #end}.
   */
  void release();
}
