package io.isle.api.fabric;

import java.util.Locale;

/** The state of a node. */
public enum NodeState {
  /** A neighbour is missing; the state of each link has the reason. */
  WAITING,
  /** Both links are up. */
  RUNNING,
  /** The stage of the node fails, or a setting is not usable; packets are not passed on. */
  FAILED,
  /** The node is closed. */
  CLOSED;

  /** Lower case, as in commands and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
