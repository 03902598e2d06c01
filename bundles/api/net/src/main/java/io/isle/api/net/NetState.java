package io.isle.api.net;

import java.util.Locale;

/** Where a net stands. */
public enum NetState {
  /** All tiles move frames. */
  RUNNING,
  /** The net has its sockets, and a tile is missing: frames wait in the rings of the kernel. */
  WAITING,
  /** The net has no sockets; the reason says why, and the platform tries again. */
  FAILED,
  /** All frames of the file have arrived that the net has in place of an interface. */
  ENDED;

  /** As users read it, such as {@code running}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
