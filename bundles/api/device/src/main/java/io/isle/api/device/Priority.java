package io.isle.api.device;

import java.util.Locale;

/**
 * Priorities of contexts (accelerator framework, 42.2.3), lowest first, with the numbers of the
 * driver ABI: 0 to 3.
 */
public enum Priority {
  /** Runs after all other priorities. */
  BACKGROUND,
  /** The default. */
  NORMAL,
  /** Runs before normal work. */
  HIGH,
  /** Runs before all other priorities; requires the permission ACCEL_CONTEXT_RT and a guarantee. */
  REALTIME;

  /** Lower case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
