package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/**
 * Power states of a screen (accelerator framework, 42.2.6), with the numbers of the driver ABI: 0
 * to 3 in this order.
 */
public enum DpmsState {
  /** The screen is on. */
  ON,
  /** Off, with an immediate return to on. */
  STANDBY,
  /** Off, with a slower return to on than STANDBY. */
  SUSPEND,
  /** Off. */
  OFF;

  /** The state with this number; empty for an unknown number. */
  public static Optional<DpmsState> of(int code) {
    return code < 0 || code >= values().length ? Optional.empty() : Optional.of(values()[code]);
  }

  /** Lower case, as in commands and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
