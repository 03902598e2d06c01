package io.isle.api.device;

import java.util.Locale;

/** State of a device for its users. */
public enum DeviceState {
  /** Open; accepts work. */
  ACTIVE,
  /** The platform is replacing the driver after a failure. */
  RECOVERING,
  /**
   * Closed after too many protocol violations of its driver, until an administrator reloads the
   * device.
   */
  QUARANTINED,
  /** Not usable; the node's {@code error} has the reason and a remedy. */
  FAILED,
  /** Disabled by the setting {@code enabled=false}. */
  DISABLED,
  /** Open, but suspended by an administrator: the device starts no work and keeps pending work. */
  SUSPENDED;

  /** Lower case, as in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
