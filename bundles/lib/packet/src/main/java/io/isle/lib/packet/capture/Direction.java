package io.isle.lib.packet.capture;

/** The way of a captured frame through its interface, with the number of {@code epb_flags}. */
public enum Direction {
  /** Not told. */
  UNKNOWN,
  /** Received. */
  INBOUND,
  /** Sent. */
  OUTBOUND;

  private static final Direction[] ALL = values();

  /** Of the lowest two bits of {@code epb_flags}. */
  static Direction of(int flags) {
    int number = flags & 3;
    return number < ALL.length ? ALL[number] : UNKNOWN;
  }
}
