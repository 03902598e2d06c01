package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/** Assignment of a device's contexts to processes of its driver. */
public enum Isolation {
  /** {@link #GROUP} if kernels run as code of the driver's process, else {@link #SHARED}. */
  AUTO,
  /** One process for all contexts. */
  SHARED,
  /** One process for each group of tenants. */
  GROUP;

  /** Lower case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value with this text, if any. */
  public static Optional<Isolation> of(String text) {
    for (Isolation value : values()) {
      if (value.text().equals(text)) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }
}
