package io.isle.api.fabric;

import java.util.Locale;

/** The state of a port of a transport. */
public enum PortState {
  /** Waits for the first byte of a neighbour that connects. */
  LISTENING,
  /** Tries to connect to a neighbour, again and again. */
  CONNECTING,
  /** A path to a neighbour is up. */
  UP,
  /** No path is possible with the settings; the reason names the setting. */
  FAILED,
  /** The port is closed or parked. */
  CLOSED;

  /** Lower case, as in commands and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
