package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Ipv4;
import io.isle.net.xdp.netlink.KernelRoute;
import io.isle.net.xdp.netlink.Neighbour;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.netlink.Rtnetlink;
import java.util.Optional;

/**
 * A host that does not exist, in the tables of the kernel: a route to the one address, and a
 * neighbour with the hardware address 0.
 */
record FakeHost(Rtnetlink kernel, int interfaceIndex, int address) {
  private static final int NO_ROUTE = 3;

  private KernelRoute route() {
    return RouteRequests.host(address, interfaceIndex);
  }

  /**
   * Adds route and neighbour, both or none.
   *
   * @throws NetException EEXIST for the address of a host or of the machine, and for an address
   *     with a route of its own
   */
  void add() {
    boolean own = kernel.addresses().stream().anyMatch(one -> one.address() == address);
    if (own || neighbour().filter(Neighbour::isUsable).isPresent()) {
      throw new NetException(
          Errno.EEXIST,
          "fake_dst_ip: "
              + Ipv4.text(address)
              + (own ? " is an address of the machine" : " is the address of a host")
              + "; name one without a host");
    }
    RouteRequests requests = new RouteRequests(kernel);
    requests.addNeighbour(interfaceIndex, address, 0);
    try {
      requests.addMarked(route());
    } catch (NetException e) {
      requests.removeNeighbour(interfaceIndex, address);
      throw e.code() == Errno.EEXIST
          ? new NetException(
              Errno.EEXIST,
              "fake_dst_ip: " + route().text() + " has a route; name an address without one",
              e)
          : e;
    }
  }

  /** Removes what {@link #add} has added, as far as it is there. */
  void remove() {
    RouteRequests requests = new RouteRequests(kernel);
    unless(NO_ROUTE, () -> requests.removeMarked(route()));
    if (neighbour().filter(FakeHost::isFake).isPresent()) {
      unless(Errno.ENOENT, () -> requests.removeNeighbour(interfaceIndex, address));
    }
  }

  private static boolean isFake(Neighbour one) {
    return one.station() == 0 && (one.state() & Neighbour.PERMANENT) != 0;
  }

  private Optional<Neighbour> neighbour() {
    return kernel.neighbours().stream()
        .filter(one -> one.interfaceIndex() == interfaceIndex && one.address() == address)
        .findFirst();
  }

  /** What is gone already, also with its interface, is as wanted. */
  private static void unless(int code, Runnable work) {
    try {
      work.run();
    } catch (NetException e) {
      if (e.code() != code && e.code() != Errno.ENODEV) {
        throw e;
      }
    }
  }
}
