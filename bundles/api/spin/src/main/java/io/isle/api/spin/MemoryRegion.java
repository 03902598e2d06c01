package io.isle.api.spin;

import java.util.Locale;

/** Memory of an execution context. */
public enum MemoryRegion {
  /** The pages that handlers and host share. */
  HOST,
  /** The memory that handlers keep between tasks; constants of the program come before it. */
  HANDLER,
  /** The scratchpads, by cluster, then by queue. */
  SCRATCHPAD;

  /** Lower case, as in commands. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
