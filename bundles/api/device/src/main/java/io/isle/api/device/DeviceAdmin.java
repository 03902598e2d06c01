package io.isle.api.device;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Administration of devices. A change of settings is written to the device's file and survives
 * reload and restart; other changes last until the node stops. Calls return when the change is in
 * force. Thread-safe.
 */
@ProviderType
public interface DeviceAdmin {
  /**
   * Changes settings of a device.
   *
   * @param changes key to value; a null value restores the default
   * @throws DeviceException ENOENT for an unknown device; EINVAL for a bad key or value, with its
   *     name and without any change; EIO if the device's file cannot be written or read back
   */
  void configure(String id, Map<String, String> changes);

  /**
   * Opens a failed device again, or replaces the driver of an open device in an orderly way.
   *
   * @throws DeviceException ENOENT for an unknown device; ENODEV if the device is FAILED or
   *     QUARANTINED afterwards, with the reason
   */
  void reload(String id);

  /**
   * Resets a device as after a crash: work in flight ends with EINTR, and contexts are rebuilt.
   *
   * @throws DeviceException ENOENT for an unknown device; ENODEV if the device is FAILED or
   *     QUARANTINED afterwards, with the reason
   */
  void reset(String id);

  /**
   * Waits for work in flight, keeps pending work, and starts no work until {@link #resume}. Work in
   * flight beyond the node's time limit ({@code drain_ms}) is interrupted.
   *
   * @throws DeviceException ENOENT for an unknown device; ENODEV if the device is not open
   */
  void suspend(String id);

  /**
   * Ends a suspension and starts the kept work.
   *
   * @throws DeviceException ENOENT for an unknown device; EINVAL if the device is not suspended;
   *     ENODEV while the device has no driver
   */
  void resume(String id);

  /**
   * Injects a fault into the process of a device's driver, as a test of the recovery. Returns when
   * the process has ended or stopped, before the recovery.
   *
   * @throws DeviceException ENOENT for an unknown device; ENOTSUP if the settings of the device
   *     forbid faults or its driver has no process of its own; ENODEV if the device is not open
   */
  void injectFault(String id, HostFault fault);

  /**
   * As {@link #injectFault(String, HostFault)}, for the process of a group of tenants.
   *
   * @throws DeviceException ENOENT also if the group has no process of its own on the device
   */
  void injectFault(String id, String group, HostFault fault);
}
