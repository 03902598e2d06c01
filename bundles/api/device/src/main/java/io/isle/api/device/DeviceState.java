package io.isle.api.device;

import java.util.Locale;

/** State of a device as its users see it. */
public enum DeviceState {
  /** Open and taking work. */
  ACTIVE,
  /** Its driver is being replaced after a failure. */
  RECOVERING,
  /** Its driver broke the protocol too often: closed until an administrator reloads it. */
  QUARANTINED,
  /** Not usable; the node's {@code error} says why and what to do. */
  FAILED,
  /** Switched off by the setting {@code enabled=false}. */
  DISABLED,
  /** Open, but on request it starts nothing; its pending work is kept. */
  SUSPENDED;

  /** Lower case, as in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
