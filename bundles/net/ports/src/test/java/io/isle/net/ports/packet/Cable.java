package io.isle.net.ports.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.NetException;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.Sockets;
import io.isle.net.ports.testing.Frames;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.Rtnetlink;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Two network namespaces with a pair of interfaces that are up: {@code va} with 198.18.0.1, {@code
 * vb} with 198.18.0.2. A test is skipped where the process may not make namespaces.
 */
final class Cable implements AutoCloseable {
  static final int HOST_A = 0xC6120001;
  static final int HOST_B = 0xC6120002;
  private static final long AGAIN_NS = 1_000_000_000L;

  final LabSide a;
  final LabSide b;
  final NetNamespace spaceA;
  final NetNamespace spaceB;
  private final LabRegistry labs = new LabRegistry();
  private final Sockets sockets = new Sockets();

  Cable() {
    List<LabSide> sides;
    try {
      sides = labs.create("cable", 1);
    } catch (NetException e) {
      if (e.code() == Errno.EPERM) {
        sides = abort(e.getMessage());
      } else {
        throw e;
      }
    }
    a = sides.get(0);
    b = sides.get(1);
    spaceA = NetNamespace.ofPath(Path.of(a.netns()));
    spaceB = NetNamespace.ofPath(Path.of(b.netns()));
    PacketPorts ports = new PacketPorts(labs);
    try (OpenPort one = ports.open("lab:cable:va", PortOptions.DEFAULT);
        OpenPort other = ports.open("lab:cable:vb", PortOptions.DEFAULT)) {
      carries(one, other);
      carries(other, one);
    }
  }

  /** The kernel may lose the first frames of interfaces that run already. */
  private static void carries(OpenPort from, OpenPort to) {
    PollSet poll = new PollSet(1);
    poll.set(0, to.descriptor(), PollSet.POLLIN);
    Frames.until(
        () -> {
          Frames.send(from, Frames.counting(60, 0));
          return poll.await(1, AGAIN_NS) == 1;
        });
  }

  /** Address of a port without its scheme. */
  static String place(LabSide side) {
    return side.netns() + ":" + side.interfaceName();
  }

  /** Changes interfaces of a side. */
  void change(NetNamespace space, Consumer<LinkRequests> change) {
    try (Rtnetlink kernel = Rtnetlink.in(space)) {
      change.accept(new LinkRequests(kernel));
    }
  }

  /** The number of an interface. */
  int index(NetNamespace space, String name) {
    try (Rtnetlink kernel = Rtnetlink.in(space)) {
      return kernel.link(name).index();
    }
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
    spaceA.close();
    spaceB.close();
    labs.close();
  }
}
