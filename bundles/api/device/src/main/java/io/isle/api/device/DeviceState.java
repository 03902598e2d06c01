package io.isle.api.device;

import java.util.Locale;

/** State of a device as its users see it. */
public enum DeviceState {
  /** Open and taking work. */
  ACTIVE,
  /** Its driver is being replaced after a failure. */
  RECOVERING,
  /** Open, but kept from users until an administrator looks at it. */
  QUARANTINED,
  /** Not usable; the node's {@code error} says why and what to do. */
  FAILED,
  /** Switched off by the setting {@code enabled=false}. */
  DISABLED,
  /** Closed on request, with its pending work kept. */
  SUSPENDED;

  /** Lower case, as in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
