package io.isle.api.accel;

import java.util.Locale;

/** Who moves a timeline (AccelFenceType, 42.2.3), with the numbers of the driver ABI: 0 to 2. */
public enum FenceType {
  /** A context of the device that waits. */
  DEVICE_LOCAL,
  /** A context of another device. */
  CROSS_DEVICE,
  /** A tenant: a {@link HostTimeline}. */
  CPU_SIGNAL;

  /** As in lists and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
