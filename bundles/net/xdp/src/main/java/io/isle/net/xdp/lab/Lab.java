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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** One lab. Not thread-safe. */
final class Lab implements AutoCloseable {
  private static final int PREFIX = 24;
  private static final long RUNNING_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final String name;
  private final int queues;
  private final List<NetNamespace> spaces = new ArrayList<>();
  private final List<Side> sides = new ArrayList<>();

  /** An interface in its namespace. */
  private record Side(LabEnd end, NetNamespace space, Link link) {
    void introduce(Side other) {
      try (Rtnetlink kernel = Rtnetlink.in(space)) {
        new RouteRequests(kernel)
            .addNeighbour(link.index(), other.end.address(), other.link.station());
      }
    }

    void sendFrames() {
      try (Rtnetlink kernel = Rtnetlink.in(space)) {
        new LinkRequests(kernel).sendFrames(link.index());
      }
    }
  }

  private Lab(String name, int queues) {
    this.name = name;
    this.queues = queues;
  }

  /** Makes a lab, all of it or nothing. */
  static Lab create(String name, int queues) {
    return made(
        new Lab(name, queues), lab -> lab.connect(LabEnd.A, lab.space(), LabEnd.B, lab.space()));
  }

  /** Makes a lab with a host, all of it or nothing. */
  static Lab createWithHost(String name, int queues) {
    return made(
        new Lab(name, queues),
        lab -> {
          NetNamespace between = lab.space();
          lab.connect(LabEnd.A, lab.space(), LabEnd.PORT, between);
          lab.connect(LabEnd.NEAR, between, LabEnd.HOST, lab.space());
          // the ports of the program between take nothing else
          lab.sides.stream().filter(side -> side.end.hasAddress()).forEach(Side::sendFrames);
        });
  }

  private static Lab made(Lab lab, Consumer<Lab> connected) {
    try {
      connected.accept(lab);
      List<Side> hosts = lab.sides.stream().filter(side -> side.end.hasAddress()).toList();
      hosts.getFirst().introduce(hosts.getLast());
      hosts.getLast().introduce(hosts.getFirst());
      return lab;
    } catch (RuntimeException e) {
      lab.release();
      throw e;
    }
  }

  private NetNamespace space() {
    NetNamespace space = NetNamespace.create();
    spaces.add(space);
    return space;
  }

  private void connect(LabEnd end, NetNamespace space, LabEnd peer, NetNamespace peerSpace) {
    try (Rtnetlink here = Rtnetlink.in(space);
        Rtnetlink there = Rtnetlink.in(peerSpace)) {
      new LinkRequests(here).addVeth(end.interfaceName(), peer.interfaceName(), peerSpace, queues);
      Link link = prepare(here, end);
      Link peerLink = prepare(there, peer);
      awaitRunning(here, end);
      awaitRunning(there, peer);
      sides.add(new Side(end, space, link));
      sides.add(new Side(peer, peerSpace, peerLink));
    }
  }

  private static Link prepare(Rtnetlink kernel, LabEnd end) {
    LinkRequests links = new LinkRequests(kernel);
    Link link = kernel.link(end.interfaceName());
    links.setUp(kernel.link("lo").index(), true);
    links.silenceIpv6(link.index());
    if (end.hasAddress()) {
      links.addAddress(link.index(), end.address(), PREFIX);
    }
    links.setUp(link.index(), true);
    return link;
  }

  /** The kernel lets an interface send some time after both sides are up; until then, it drops. */
  private static void awaitRunning(Rtnetlink kernel, LabEnd end) {
    long begin = System.nanoTime();
    while (true) {
      Link link = kernel.link(end.interfaceName());
      if ((link.flags() & Link.RUNNING) != 0) {
        // waits for the lock of the network, under which the kernel ends what it began
        new LinkRequests(kernel).setUp(link.index(), true);
        return;
      }
      if (System.nanoTime() - begin > RUNNING_NS) {
        throw new NetException(Errno.ETIME, end.interfaceName() + " is up, but does not run");
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private LabSide shown(Side side) {
    return new LabSide(
        name,
        side.end.side(),
        side.link.name(),
        side.end.hasAddress() ? Ipv4.text(side.end.address()) : "",
        side.end.hasAddress() ? PREFIX : 0,
        Station.text(side.link.station()),
        "/proc/" + ProcessHandle.current().pid() + "/fd/" + side.space.descriptor(),
        queues);
  }

  /** Sides a and b, and those of the host. */
  List<LabSide> sides() {
    return sides.stream().map(this::shown).toList();
  }

  /** The namespace of the side that has an interface. */
  Optional<NetNamespace> space(String interfaceName) {
    return sides.stream()
        .filter(side -> side.end.interfaceName().equals(interfaceName))
        .findFirst()
        .map(Side::space);
  }

  /** Removes the interfaces, which processes inside would keep, and lets the namespaces go. */
  @Override
  public void close() {
    try {
      for (Side side : sides) {
        delete(side);
      }
    } finally {
      release();
    }
  }

  private static void delete(Side side) {
    try (Rtnetlink kernel = Rtnetlink.in(side.space)) {
      new LinkRequests(kernel).delete(kernel.link(side.end.interfaceName()).index());
    } catch (NetException e) {
      // it went with its peer, or somebody inside has removed or renamed it
      if (e.code() != Errno.ENODEV) {
        throw e;
      }
    }
  }

  private void release() {
    spaces.forEach(NetNamespace::close);
  }
}
