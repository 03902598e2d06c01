package io.isle.api.spin;

import java.util.Locale;

/** State of an execution context. */
public enum ContextState {
  /** Takes packets. */
  ATTACHED,
  /** Its HPUs come back; packets are dropped. */
  RECOVERING,
  /** Its group has no process any more: {@link NicAdmin#attach} tries again. */
  LOST,
  /** Ended, by its owner, an administrator, or a run of traps. */
  DETACHED;

  /** Lower case, as in lists and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
