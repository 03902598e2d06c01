package io.isle.net.xdp.netlink;

import io.isle.lib.packet.Ipv4;

/**
 * Changes of routes and of neighbours, in the namespace of a socket. Addresses are IPv4, first
 * number highest. Each throws NetException with the kernel's code and its words; EPERM without
 * CAP_NET_ADMIN. Thread-safe.
 */
public final class RouteRequests {
  private static final int NEW = Rtm.ACK | Rtm.CREATE | Rtm.EXCL;
  private static final int STATIC = 4;

  /** Number of the protocol that marks routes of the platform, beyond those of the kernel. */
  private static final int MARK = 0x49;

  private static final int SCOPE_ALL = 0;
  private static final int SCOPE_LINK = 253;
  private static final int SCOPE_ANY = 255;

  private final Rtnetlink kernel;

  public RouteRequests(Rtnetlink kernel) {
    this.kernel = kernel;
  }

  /** Adds a route of table main; EEXIST if one has this destination and metric. */
  public void add(KernelRoute route) {
    add(route, STATIC);
  }

  /** As {@link #add(KernelRoute)}, with a mark by which {@link #removeMarked} finds the route. */
  public void addMarked(KernelRoute route) {
    add(route, MARK);
  }

  private void add(KernelRoute route, int protocol) {
    boolean direct = route.type() == KernelRoute.UNICAST && route.gateway() == 0;
    kernel.request(
        route(Rtm.NEWROUTE, NEW, route, protocol, direct ? SCOPE_LINK : SCOPE_ALL),
        "new route " + route.text());
  }

  /** Removes a route of table main; ESRCH (3) without one. */
  public void remove(KernelRoute route) {
    remove(route, STATIC);
  }

  /** Removes a route that {@link #addMarked} has added, and no other; ESRCH (3) without one. */
  public void removeMarked(KernelRoute route) {
    remove(route, MARK);
  }

  private void remove(KernelRoute route, int protocol) {
    kernel.request(
        route(Rtm.DELROUTE, Rtm.ACK, route, protocol, SCOPE_ANY), "delete route " + route.text());
  }

  /** A route of table main to one host on a link. */
  public static KernelRoute host(int address, int interfaceIndex) {
    return new KernelRoute(
        KernelRoute.MAIN, address, 32, KernelRoute.UNICAST, 0, interfaceIndex, 0, 0, true);
  }

  private static MessageWriter route(
      int type, int flags, KernelRoute route, int protocol, int scope) {
    MessageWriter message =
        new MessageWriter(type, flags)
            .u8(Rtm.AF_INET)
            .u8(route.prefix())
            .u16(0)
            .u8(KernelRoute.MAIN)
            .u8(protocol)
            .u8(scope)
            .u8(route.type())
            .u32(0)
            .address(KernelRoute.RTA_DST, route.destination());
    if (route.interfaceIndex() != 0) {
      message.number(KernelRoute.RTA_OIF, route.interfaceIndex());
    }
    if (route.gateway() != 0) {
      message.address(KernelRoute.RTA_GATEWAY, route.gateway());
    }
    if (route.metric() != 0) {
      message.number(KernelRoute.RTA_PRIORITY, route.metric());
    }
    if (route.source() != 0) {
      message.address(KernelRoute.RTA_PREFSRC, route.source());
    }
    return message;
  }

  /** Fixes the hardware address of a host, in place of what the kernel knows. */
  public void addNeighbour(int interfaceIndex, int address, long station) {
    kernel.request(
        neighbour(
                Rtm.NEWNEIGH,
                Rtm.ACK | Rtm.CREATE | Rtm.REPLACE,
                interfaceIndex,
                Neighbour.PERMANENT,
                0,
                address)
            .station(Neighbour.NDA_LLADDR, station),
        "neighbour " + Ipv4.text(address));
  }

  /** Forgets a host; ENOENT without one. */
  public void removeNeighbour(int interfaceIndex, int address) {
    kernel.request(
        neighbour(Rtm.DELNEIGH, Rtm.ACK, interfaceIndex, 0, 0, address),
        "delete neighbour " + Ipv4.text(address));
  }

  static MessageWriter neighbour(
      int type, int flags, int interfaceIndex, int state, int wish, int address) {
    return new MessageWriter(type, flags)
        .u32(Rtm.AF_INET)
        .u32(interfaceIndex)
        .u16(state)
        .u8(wish)
        .u8(0)
        .address(Neighbour.NDA_DST, address);
  }
}
