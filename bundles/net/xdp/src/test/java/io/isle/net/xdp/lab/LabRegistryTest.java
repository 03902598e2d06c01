package io.isle.net.xdp.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.net.xdp.netlink.InterfaceAddress;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.Neighbour;
import io.isle.net.xdp.netlink.Rtnetlink;
import io.isle.net.xdp.netlink.Station;
import io.isle.net.xdp.testing.Spaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LabRegistryTest {
  private final LabRegistry labs = new LabRegistry();

  @BeforeEach
  void mayMakeNamespaces() {
    Spaces.create().close();
  }

  @AfterEach
  void close() {
    labs.close();
  }

  private NetException refused(int code, Runnable call) {
    NetException refused = assertThrows(NetException.class, call::run);
    assertEquals(code, refused.code(), refused.getMessage());
    return refused;
  }

  @Test
  void aLabHasTwoSidesThatKnowEachOther() {
    List<LabSide> sides = labs.create("one", 2);
    assertEquals(sides, labs.list());
    LabSide a = sides.get(0);
    LabSide b = sides.get(1);
    assertEquals("a va 198.18.0.1 24 2", shown(a));
    assertEquals("b vb 198.18.0.2 24 2", shown(b));
    assertNotEquals(a.netns(), b.netns());
    try (NetNamespace space = NetNamespace.ofPath(Path.of(a.netns()));
        Rtnetlink kernel = Rtnetlink.in(space)) {
      Link va = kernel.link("va");
      assertEquals(a.mac(), Station.text(va.station()));
      assertTrue(va.isUp() && (va.flags() & Link.RUNNING) != 0);
      assertTrue(kernel.link("lo").isUp());
      assertTrue(
          kernel.addresses().stream()
              .map(InterfaceAddress::text)
              .toList()
              .contains("198.18.0.1/24"));
      Neighbour other =
          kernel.neighbours().stream()
              .filter(one -> one.address() == 0xC6120002)
              .findFirst()
              .orElseThrow();
      assertEquals(b.mac(), Station.text(other.station()));
      assertEquals(Neighbour.PERMANENT, other.state());
    }
  }

  private static String shown(LabSide side) {
    return "%s %s %s %d %d"
        .formatted(side.side(), side.interfaceName(), side.address(), side.prefix(), side.queues());
  }

  @Test
  void aLabWithAHostHasANamespaceBetweenThatAnswersNothing() {
    List<LabSide> sides = labs.createWithHost("one", 1);
    assertEquals(sides, labs.list());
    assertEquals(
        List.of("a va 198.18.0.1 24 1", "b vb  0 1", "near ha  0 1", "host hb 198.18.0.2 24 1"),
        sides.stream().map(LabRegistryTest::shown).toList());
    assertEquals(sides.get(1).netns(), sides.get(2).netns());
    assertEquals(3, sides.stream().map(LabSide::netns).distinct().count());
    try (NetNamespace space = labs.open("one", "va");
        Rtnetlink kernel = Rtnetlink.in(space);
        NetNamespace between = labs.open("one", "ha");
        Rtnetlink middle = Rtnetlink.in(between)) {
      Neighbour host =
          kernel.neighbours().stream()
              .filter(one -> one.address() == 0xC6120002)
              .findFirst()
              .orElseThrow();
      assertEquals(sides.get(3).mac(), Station.text(host.station()));
      assertEquals(
          List.of("127.0.0.1/8"), middle.addresses().stream().map(InterfaceAddress::text).toList());
      labs.delete("one");
      assertEquals(1, middle.links().size());
      assertEquals(1, kernel.links().size());
    }
  }

  @Test
  void packetsCrossTheLab() throws IOException {
    LabSide b = labs.create("one", 1).get(1);
    try (DatagramSocket from = socket("va", "198.18.0.1");
        DatagramSocket to = socket("vb", b.address())) {
      byte[] data = {1, 2, 3};
      DatagramPacket sent =
          new DatagramPacket(
              data, data.length, InetAddress.getByName(b.address()), to.getLocalPort());
      DatagramPacket received = new DatagramPacket(new byte[16], 16);
      exchange(from, sent, to, received);
      assertEquals(3, received.getLength());
      assertEquals(InetAddress.getByName("198.18.0.1"), received.getAddress());
    }
  }

  /** The kernel has one queue for the interfaces of all labs, and loses what does not fit. */
  private static void exchange(
      DatagramSocket from, DatagramPacket sent, DatagramSocket to, DatagramPacket received)
      throws IOException {
    to.setSoTimeout(100);
    for (int tries = 100; true; tries--) {
      from.send(sent);
      try {
        to.receive(received);
        return;
      } catch (SocketTimeoutException e) {
        if (tries == 1) {
          throw e;
        }
      }
    }
  }

  private DatagramSocket socket(String interfaceName, String address) {
    try (NetNamespace space = labs.open("one", interfaceName)) {
      return space.call(
          () -> {
            try {
              return new DatagramSocket(new InetSocketAddress(address, 0));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  @Test
  void aLabsEndRemovesItsInterfacesAlsoForThoseInside() {
    LabSide a = labs.create("one", 1).get(0);
    try (NetNamespace inside = NetNamespace.ofPath(Path.of(a.netns()));
        Rtnetlink kernel = Rtnetlink.in(inside)) {
      labs.delete("one");
      assertEquals(1, kernel.links().size());
    }
    assertFalse(Files.exists(Path.of(a.netns())) && isNamespace(a.netns()), a.netns());
    assertEquals(List.of(), labs.list());
    refused(Errno.ENOENT, () -> labs.delete("one"));
    assertEquals(2, labs.create("one", 1).size(), "the name is free again");
  }

  private static boolean isNamespace(String path) {
    try {
      return Files.readSymbolicLink(Path.of(path)).toString().startsWith("net:");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void wrongWishesAreNamed() {
    assertTrue(
        refused(Errno.EINVAL, () -> labs.create("Bad name", 1))
            .getMessage()
            .contains("'Bad name'"));
    assertTrue(
        refused(Errno.EINVAL, () -> labs.create("a", 17)).getMessage().contains("queues: 17"));
    assertTrue(refused(Errno.EINVAL, () -> labs.create("a", 0)).getMessage().contains("queues: 0"));
    for (int i = 0; i < Labs.MOST; i++) {
      assertEquals(2, labs.create("lab-" + i, 1).size());
    }
    refused(Errno.EEXIST, () -> labs.create("lab-0", 1));
    refused(Errno.ENOSPC, () -> labs.create("one-more", 1));
  }

  @Test
  void spacesOpenByWhatUsersWrite() {
    LabSide b = labs.create("one", 1).get(1);
    NetSpaces spaces = new NetSpaces(labs);
    try (NetNamespace byLab = spaces.open("lab:one", "vb");
        NetNamespace byPath = spaces.open(b.netns(), "vb");
        NetNamespace own = spaces.open("", "lo")) {
      assertEquals(byPath.inode(), byLab.inode());
      assertNotEquals(own.inode(), byLab.inode());
    }
    refused(Errno.ENODEV, () -> spaces.open("lab:one", "eth0"));
    refused(Errno.ENOENT, () -> spaces.open("lab:two", "va"));
    assertTrue(
        refused(Errno.ENOENT, () -> spaces.open("nothing-9", "va"))
            .getMessage()
            .contains("ip netns list"));
    refused(Errno.EINVAL, () -> spaces.open("a name", "va"));
  }
}
