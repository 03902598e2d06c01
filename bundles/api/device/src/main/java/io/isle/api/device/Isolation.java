package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/** Which contexts of a device share a process of its driver. */
public enum Isolation {
  /** {@link #GROUP} where kernels run as code of the driver's process, else {@link #SHARED}. */
  AUTO,
  /** All contexts are in one process. */
  SHARED,
  /** Each group of tenants has a process of its own. */
  GROUP;

  /** Lower case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one of that text. */
  public static Optional<Isolation> of(String text) {
    for (Isolation value : values()) {
      if (value.text().equals(text)) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }
}
