package io.isle.api.fabric;

import java.util.Locale;

/** The task of a node in its ring. */
public enum RingRole {
  /** Originates and receives packets; a tenant holds its endpoint. */
  MASTER,
  /** Processes packets by its stage and passes them on. */
  WORKER,
  /** A worker whose tail flag is set: packets without a requested reply end here. */
  TAIL,
  /** Passes all packets on unchanged, including control packets. */
  RELAY;

  /** Lower case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
