package io.isle.net.ports.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.Sockets;
import io.isle.net.ports.testing.Frames;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.netlink.Rtnetlink;

/** Client {@code ca} - {@code nb} NIC {@code na} - {@code hb} host, in three namespaces. */
final class HostPair implements AutoCloseable {
  static final int CLIENT = 0xC6120001;
  static final int HOST = 0xC6120002;

  final NetNamespace clients = space();
  final NetNamespace hosts = space();
  private final NetNamespace nics = space();
  private final Sockets sockets = new Sockets();

  HostPair() {
    try (Rtnetlink client = Rtnetlink.in(clients);
        Rtnetlink nic = Rtnetlink.in(nics);
        Rtnetlink host = Rtnetlink.in(hosts)) {
      new LinkRequests(client).addVeth("ca", "nb", nics, 1);
      new LinkRequests(nic).addVeth("na", "hb", hosts, 1);
      Link ca = up(client, "ca", CLIENT);
      Link hb = up(host, "hb", HOST);
      up(nic, "nb", 0);
      up(nic, "na", 0);
      new RouteRequests(client).addNeighbour(ca.index(), HOST, hb.station());
      new RouteRequests(host).addNeighbour(hb.index(), CLIENT, ca.station());
      running(client, "ca");
      running(nic, "nb");
      running(nic, "na");
      running(host, "hb");
    }
  }

  private static NetNamespace space() {
    try {
      return NetNamespace.create();
    } catch (PosixException e) {
      if (e.code() == Errno.EPERM) {
        return abort("network namespaces need root: " + e.getMessage());
      }
      throw e;
    }
  }

  private static Link up(Rtnetlink kernel, String name, int address) {
    LinkRequests links = new LinkRequests(kernel);
    Link link = kernel.link(name);
    links.silenceIpv6(link.index());
    if (address != 0) {
      links.addAddress(link.index(), address, 24);
    }
    links.setUp(link.index(), true);
    return link;
  }

  private static void running(Rtnetlink kernel, String name) {
    Frames.until(() -> (kernel.link(name).flags() & Link.RUNNING) != 0);
    // waits for the lock under which the kernel ends what it began
    new LinkRequests(kernel).setUp(kernel.link(name).index(), true);
  }

  private String place(String name) {
    return "/proc/self/fd/" + nics.descriptor() + ":" + name;
  }

  /** The interface of the network. */
  String port() {
    return place("nb");
  }

  /** The near end of the pair to the host. */
  String host() {
    return place("na");
  }

  /** A socket of UDP in a namespace. */
  int socket(NetNamespace space, int host, int port) {
    return space.call(
        () -> {
          int fd = sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
          assertTrue(fd >= 0);
          SockAddr name = new SockAddr();
          name.ipv4(host, port);
          assertEquals(0, sockets.bind(fd, name));
          return fd;
        });
  }

  void close(int socket) {
    assertEquals(0, sockets.close(socket));
  }

  @Override
  public void close() {
    clients.close();
    nics.close();
    hosts.close();
  }
}
