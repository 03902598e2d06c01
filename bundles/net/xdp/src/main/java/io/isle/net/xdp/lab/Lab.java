package io.isle.net.xdp.lab;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.packet.Ipv4;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.netlink.Rtnetlink;
import io.isle.net.xdp.netlink.Station;
import java.util.List;
import java.util.Optional;

/** One lab. Not thread-safe. */
final class Lab implements AutoCloseable {
  private static final int PREFIX = 24;

  /** What a side has. */
  private enum Side {
    A("va", 0xC6120001),
    B("vb", 0xC6120002);

    private final String interfaceName;
    private final int address;

    Side(String interfaceName, int address) {
      this.interfaceName = interfaceName;
      this.address = address;
    }
  }

  private final String name;
  private final int queues;
  private final NetNamespace a;
  private final NetNamespace b;
  private List<LabSide> sides = List.of();

  private Lab(String name, int queues, NetNamespace a, NetNamespace b) {
    this.name = name;
    this.queues = queues;
    this.a = a;
    this.b = b;
  }

  /** Makes a lab, all of it or nothing. */
  static Lab create(String name, int queues) {
    NetNamespace a = NetNamespace.create();
    Lab lab;
    try {
      lab = new Lab(name, queues, a, NetNamespace.create());
    } catch (RuntimeException e) {
      a.close();
      throw e;
    }
    try {
      lab.connect();
      return lab;
    } catch (RuntimeException e) {
      lab.release();
      throw e;
    }
  }

  private void connect() {
    try (Rtnetlink onA = Rtnetlink.in(a);
        Rtnetlink onB = Rtnetlink.in(b)) {
      new LinkRequests(onA).addVeth(Side.A.interfaceName, Side.B.interfaceName, b, queues);
      Link va = prepare(onA, Side.A);
      Link vb = prepare(onB, Side.B);
      new RouteRequests(onA).addNeighbour(va.index(), Side.B.address, vb.station());
      new RouteRequests(onB).addNeighbour(vb.index(), Side.A.address, va.station());
      sides = List.of(side(Side.A, a, va), side(Side.B, b, vb));
    }
  }

  private static Link prepare(Rtnetlink kernel, Side side) {
    LinkRequests links = new LinkRequests(kernel);
    Link link = kernel.link(side.interfaceName);
    links.setUp(kernel.link("lo").index(), true);
    links.silenceIpv6(link.index());
    links.addAddress(link.index(), side.address, PREFIX);
    links.setUp(link.index(), true);
    return link;
  }

  private LabSide side(Side side, NetNamespace space, Link link) {
    return new LabSide(
        name,
        side == Side.A ? "a" : "b",
        link.name(),
        Ipv4.text(side.address),
        PREFIX,
        Station.text(link.station()),
        "/proc/" + ProcessHandle.current().pid() + "/fd/" + space.descriptor(),
        queues);
  }

  /** Sides a and b. */
  List<LabSide> sides() {
    return sides;
  }

  /** The namespace of the side that has an interface. */
  Optional<NetNamespace> space(String interfaceName) {
    return sides.stream()
        .filter(side -> side.interfaceName().equals(interfaceName))
        .findFirst()
        .map(side -> side.side().equals("a") ? a : b);
  }

  /** Removes the interfaces, which processes inside would keep, and lets the namespaces go. */
  @Override
  public void close() {
    try (Rtnetlink onA = Rtnetlink.in(a)) {
      new LinkRequests(onA).delete(onA.link(Side.A.interfaceName).index());
    } catch (NetException e) {
      // somebody inside has removed or renamed it
      if (e.code() != Errno.ENODEV) {
        throw e;
      }
    } finally {
      release();
    }
  }

  private void release() {
    a.close();
    b.close();
  }
}
