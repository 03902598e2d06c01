package io.isle.api.driver;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service: hears which devices are open. A listener that comes is told of those that are
 * open already. Calls about one device come one at a time and in order, beside its recoveries: a
 * listener that is slow or throws holds nobody up but is told later; what it throws is logged.
 */
@ConsumerType
public interface DeviceSessionListener {
  /** The device can be used; it could not before. */
  void opened(DeviceSession session);

  /**
   * The device came back: after a crash, a reload or other settings.
   *
   * @param before has ended
   */
  void replaced(DeviceSession before, DeviceSession now);

  /** The device is not open any more and nothing follows for now: disabled, failed or gone. */
  void closed(DeviceSession session);
}
