package io.isle.fabric.ring.admin;

import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import java.net.UnknownHostException;
import java.util.OptionalInt;

/** The largest packet of IP on the way to an address, as the kernel knows it; nothing is sent. */
final class RouteMtu {
  private RouteMtu() {}

  /**
   * Asks the kernel.
   *
   * @param place host and port; a name may take seconds
   * @return empty if the place is none, or no way leads there
   */
  static OptionalInt of(String place) {
    try {
      return of(HostPort.parse(place).resolve().getFirst());
    } catch (IllegalArgumentException | UnknownHostException e) {
      return OptionalInt.empty();
    }
  }

  private static OptionalInt of(SockAddr address) {
    Sockets sockets = new Sockets();
    int socket = sockets.socket(address.family(), Sockets.SOCK_DGRAM);
    if (socket < 0) {
      return OptionalInt.empty();
    }
    try {
      // a connected socket of datagrams sends nothing, but has a route
      boolean routed = sockets.connect(socket, address) == 0;
      SocketOption option =
          address.family() == Sockets.AF_INET6 ? SocketOption.IPV6_MTU : SocketOption.IP_MTU;
      int mtu = routed ? new SocketOptions().get(socket, option) : -1;
      return mtu > 0 ? OptionalInt.of(mtu) : OptionalInt.empty();
    } finally {
      int ignored = sockets.close(socket);
    }
  }
}
