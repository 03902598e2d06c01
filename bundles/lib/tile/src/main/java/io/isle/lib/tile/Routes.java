package io.isle.lib.tile;

/**
 * Where a packet leaves: the result of a look-up is kept until the next one. One thread. No
 * allocation.
 */
public interface Routes {
  /** The packet leaves by {@link #interfaceIndex}. */
  int SENDS = 0;

  /** No route, or one that refuses the address. */
  int NO_ROUTE = 1;

  /** A route of another type than unicast and local. */
  int ROUTE_TYPE = 2;

  /** The hardware address of the next hop is unknown. */
  int NO_NEIGHBOR = 3;

  /**
   * Looks an address up.
   *
   * @param destination IPv4, first number highest
   * @return {@link #SENDS}, or why the packet cannot leave
   */
  int lookup(int destination);

  /** Index of the interface; after {@link #SENDS} and {@link #NO_NEIGHBOR}. */
  int interfaceIndex();

  /** Hardware address of the next hop, in the low 48 bits, first byte highest. */
  long neighbor();

  /** Hardware address of the interface, as {@link #neighbor}. */
  long station();

  /** Source for packets that name none, first number highest; 0 without one. */
  int source();

  /** The address whose hardware address is or would be {@link #neighbor}, first number highest. */
  int nextHop();
}
