package io.isle.api.device;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What an administrator does to devices. A change of settings is written to the device's file and
 * outlives reload and restart; what else is asked for holds until the node stops. Thread-safe;
 * calls return when the change is in force.
 */
@ProviderType
public interface DeviceAdmin {
  /**
   * Changes settings of a device.
   *
   * @param changes key to value; a null value goes back to the default
   * @throws DeviceException ENOENT unknown device; EINVAL bad key or value, naming it; then nothing
   *     changed; EIO when the device's file cannot be written or read back
   */
  void configure(String id, Map<String, String> changes);

  /**
   * Opens again a device that failed, or reopens one that works.
   *
   * @throws DeviceException ENOENT unknown device; ENODEV when it is FAILED or QUARANTINED
   *     afterwards, with the reason
   */
  void reload(String id);

  /**
   * Resets a device as after a crash: work in flight ends with EINTR, contexts are rebuilt.
   *
   * @throws DeviceException ENOENT unknown device; ENODEV when it is FAILED or QUARANTINED
   *     afterwards, with the reason
   */
  void reset(String id);

  /**
   * Lets work in flight end, keeps pending work, and starts nothing until {@link #resume}. Work
   * that does not end within the bound of the node's settings is interrupted.
   *
   * @throws DeviceException ENOENT unknown device; ENODEV when it is not open
   */
  void suspend(String id);

  /**
   * Starts kept work again.
   *
   * @throws DeviceException ENOENT unknown device; EINVAL when it is not suspended; ENODEV while
   *     its driver is away
   */
  void resume(String id);

  /**
   * Harms the process of a device's driver, to see the device recover. Returns when the process is
   * ended or stands still, before the recovery.
   *
   * @throws DeviceException ENOENT unknown device; ENOTSUP when its settings forbid faults or its
   *     driver has no process of its own; ENODEV when it is not open now
   */
  void injectFault(String id, HostFault fault);

  /**
   * As {@link #injectFault(String, HostFault)}, for the process of a group of tenants.
   *
   * @throws DeviceException ENOENT also when the group has no process of its own there
   */
  void injectFault(String id, String group, HostFault fault);
}
