package io.isle.net.xdp.host.wire;

/** Numbers that both sides know. */
public final class Orders {
  /** Opens a tile. */
  public static final int OPEN = 1;

  /** Ends the tile, and unmaps all. */
  public static final int CLOSE = 2;

  /** Bytes of the longest order. */
  public static final int MOST_BYTES = 65_536;

  /** Most descriptors of an order. */
  public static final int MOST_DESCRIPTORS = 253;

  /** Bytes of the message that brings the page. */
  public static final int GREETING = 8;

  /** Bytes of the longest report of a sandbox. */
  public static final int REPORT = 2048;

  /** Number of the socket in the process. */
  public static final int SOCKET = 3;

  /** Number of the page in the process. */
  public static final int PAGE = 4;

  /** Number of the socket of the first port in the process: the filter of calls knows it. */
  public static final int FIRST_PORT = 10;

  /** No memory. */
  static final int NONE = 0xFFFF;

  private Orders() {}
}
