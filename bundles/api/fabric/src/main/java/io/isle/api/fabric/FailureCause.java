package io.isle.api.fabric;

import java.util.Locale;

/** Why a node counts as failed. */
public enum FailureCause {
  /** Its program or machine has reset or closed its path, without a goodbye. */
  RESET,
  /** Its signs of life are missing. */
  SILENT,
  /** The path between two nodes is cut: both live, and each one reports the other. */
  CUT,
  /** It works on one packet for too long. */
  STUCK,
  /** Its stage fails. */
  FAILED,
  /** It has left the ring on purpose. */
  LEFT;

  /** Lower case, as in commands and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
