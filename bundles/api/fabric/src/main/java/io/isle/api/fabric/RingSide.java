package io.isle.api.fabric;

import java.util.Locale;

/** A neighbour of a node. */
public enum RingSide {
  /** The node that connects to this node and sends packets to it. */
  PREV,
  /** The node that this node connects to and sends packets to. */
  NEXT;

  /** Lower case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
