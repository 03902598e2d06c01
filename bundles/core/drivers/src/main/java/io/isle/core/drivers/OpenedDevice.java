package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.HostFault;
import io.isle.api.device.Isolation;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DriverException;
import java.util.List;
import java.util.Optional;

/** An open device, as its supervisor sees it. */
interface OpenedDevice {
  AccelDevice device();

  /** Its driver host, if it has one. */
  Optional<Long> hostPid();

  /** Whether kernels are code of the driver's process, as the driver says. */
  default boolean runsKernelsInProcess() {
    return false;
  }

  /** Whether groups have processes of their own. */
  default Isolation isolation() {
    return Isolation.SHARED;
  }

  /** The driver's processes. */
  default List<DeviceHost> hosts() {
    return hostPid().map(pid -> new DeviceHost("", pid)).stream().toList();
  }

  /** The processes of groups, where they have their own. */
  default Optional<GroupHosts> groups() {
    return Optional.empty();
  }

  /** Names of services that the device publishes. */
  List<String> services();

  /** Negotiated interfaces, a line each. */
  List<String> interfaces();

  /** What confines the driver's process, a line each; empty without a process. */
  default List<String> sandbox() {
    return List.of();
  }

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

  /** Steps of the driver's data thread; odd while it is inside the driver; 0 if not known. */
  default long heartbeat() {
    return 0;
  }

  /** Whether requests lie there that the driver has not taken. */
  default boolean requestsWait() {
    return false;
  }

  /**
   * Asks the driver's process for a sign of life, which its heartbeat gives, if a control call
   * waits for an answer.
   *
   * @return whether one waits
   */
  default boolean probe() {
    return false;
  }

  /** Logs what the driver has logged since the last time, where that does not come by itself. */
  default void tellLog() {}

  /** Gives the driver up, from any thread: it is ended, and the cause reported as its end. */
  default void abandon(RecoveryCause cause) {}

  /**
   * Harms the driver's process; returns when it is ended or stands still.
   *
   * @throws DriverException ENOTSUP when it has none; ENODEV when it has ended already
   */
  default void injectFault(HostFault fault) {
    throw new DriverException(
        Errno.ENOTSUP, "the driver has no process of its own; only one in tier 2 has");
  }

  /**
   * As {@link #injectFault(HostFault)}, for the process of a group.
   *
   * @throws DriverException ENOENT when it has none of its own
   */
  default void injectFault(String group, HostFault fault) {
    throw new DriverException(
        Errno.ENOENT, "group " + group + " has no process of its own: isolation is shared");
  }
}
