package io.isle.api.driver;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service that is notified of open devices. A new listener is notified of the devices
 * that are already open. Calls about one device come one at a time and in order, independent of
 * recoveries. A slow listener or an exception delays no other listener; exceptions are logged.
 */
@ConsumerType
public interface DeviceSessionListener {
  /** The device is usable and was not usable before. */
  void opened(DeviceSession session);

  /**
   * The device came back after a crash, a reload or other settings.
   *
   * @param before the ended session
   * @param now the new session
   */
  void replaced(DeviceSession before, DeviceSession now);

  /** The device is closed, and no opening follows for now: disabled, failed or removed. */
  void closed(DeviceSession session);
}
