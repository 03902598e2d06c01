package io.isle.api.device;

import java.util.Locale;

/** Priorities of contexts (42.2.3), lowest first, with the numbers of the driver ABI: 0 to 3. */
public enum Priority {
  BACKGROUND,
  NORMAL,
  HIGH,
  REALTIME;

  /** Lower case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
