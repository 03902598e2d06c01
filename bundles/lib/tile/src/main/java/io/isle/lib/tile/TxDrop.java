package io.isle.lib.tile;

import java.util.Locale;

/** Why a tile does not send a frame of an app. The order is that of the counters. */
public enum TxDrop {
  /** No route to the address, or a route that refuses it. */
  NO_ROUTE,
  /** A route of a type that a tile does not serve, such as multicast. */
  ROUTE_TYPE,
  /** The route leaves by an interface that the tile does not have. */
  INTERFACE,
  /** The frame names no source, and the route knows none. */
  NO_SOURCE,
  /** The hardware address of the next hop is unknown. */
  NO_NEIGHBOR,
  /** The kernel took nothing for so long that the frame was given up. */
  RING_FULL,
  /** A chunk outside of the link, a wrong size, or bytes that are no packet of IPv4. */
  INVALID,
  /** The app wrote over the frame before the tile had it. */
  OVERRUN;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As counters and users name the reason, such as {@code no_route}. */
  public String text() {
    return text;
  }
}
