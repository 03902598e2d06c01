package io.isle.api.accel;

import java.util.Locale;

/**
 * Kinds of timelines by their signalling side (AccelFenceType, 42.2.3), with the numbers of the
 * driver ABI: 0 to 2.
 */
public enum FenceType {
  /** A context of the waiting device. */
  DEVICE_LOCAL,
  /** A context of another device. */
  CROSS_DEVICE,
  /** A tenant, by a {@link HostTimeline}. */
  CPU_SIGNAL;

  /** Lower case, as in lists and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
