package io.isle.api.fabric;

import java.util.Locale;

/** The protocol of a link. */
public enum Dialect {
  /**
   * The protocol of LEAP, byte for byte: packets of one size, without numbers on streams, without
   * repair of lost datagrams.
   */
  LEAP,
  /** The protocol of Isle on both ends: numbered frames, acknowledgements, heartbeats, repair. */
  ISLE;

  /** Lower case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
