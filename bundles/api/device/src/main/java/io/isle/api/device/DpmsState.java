package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/**
 * Power states of a screen (accelerator framework, 42.2.6), with the numbers of the driver ABI: 0
 * to 3 in this order.
 */
public enum DpmsState {
  ON,
  /** Back at once. */
  STANDBY,
  SUSPEND,
  OFF;

  /** The state with this number, if there is one. */
  public static Optional<DpmsState> of(int code) {
    return code < 0 || code >= values().length ? Optional.empty() : Optional.of(values()[code]);
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
