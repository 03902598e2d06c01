package io.isle.api.net;

import java.util.Locale;

/** Parts of what is set on an interface before a net uses it, in the order of their use. */
public enum ConfigureStage {
  /** Packets that the machine sends to itself: kernel settings of the loopback. */
  SYSCTL,
  /** What the driver and the kernel do with packets before a program sees them. */
  OFFLOADS,
  /** The same for the loopback. */
  LOOPBACK,
  /** As many queues as tiles. */
  CHANNELS;

  /** Lower case, as in commands and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
