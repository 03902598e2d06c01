package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.NetFinding;
import io.isle.api.net.NetState;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.net.xdp.configure.Offloads;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.RouteRequests;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each cause that keeps frames away is made, and found. */
@Timeout(120)
class ExplainTest extends NetFixture {
  private static final int SOL_UDP = 17;
  private static final int UDP_SEGMENT = 103;
  private static final int SEGMENT = 1000;
  private static final int SEGMENTS = 8;

  private void start(String... more) {
    core.create("n", settings(more));
    app("count", "drop", "own");
    running();
    until(() -> app("count").running());
  }

  private List<NetFinding> found(String subject) {
    return core.explain("n").stream().filter(one -> one.subject().startsWith(subject)).toList();
  }

  private String bad(String subject) {
    until(() -> found(subject).stream().anyMatch(one -> !one.ok()));
    return found(subject).stream().filter(one -> !one.ok()).findFirst().orElseThrow().text();
  }

  private void isFine(String subject) {
    assertTrue(found(subject).stream().allMatch(NetFinding::ok), () -> found(subject).toString());
  }

  /** One call of the sender, which the kernel cuts into datagrams late. */
  private void sendSuperpacket() {
    long sent =
        pair.a.call(
            () -> {
              Sockets sockets = new Sockets();
              int socket = sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
              try (Arena arena = Arena.ofConfined()) {
                MemorySegment size = arena.allocate(ValueLayout.JAVA_INT);
                size.set(ValueLayout.JAVA_INT, 0, SEGMENT);
                assertEquals(0, new SocketOptions().set(socket, SOL_UDP, UDP_SEGMENT, size));
                SockAddr to = new SockAddr();
                to.ipv4(B, PORT);
                MemorySegment data = arena.allocate(SEGMENTS * SEGMENT);
                return new SocketIo().sendTo(socket, data, 0, data.byteSize(), 0, to);
              } finally {
                int ignored = sockets.close(socket);
              }
            });
    assertEquals(SEGMENTS * SEGMENT, sent);
  }

  @Test
  void superpacketsAreLostInModeSkbAndNamed() {
    start("mode", "skb");
    isFine("superpackets");
    sendSuperpacket();
    String text = bad("superpackets");
    assertTrue(text.startsWith("1 frames were too large"), text);
    assertTrue(text.contains("net:set n mode=drv"), text);
    boolean joins =
        !Offloads.on(pair.b, "vb", List.of("rx-gro", "rx-udp-gro-forwarding")).isEmpty();
    assertEquals(joins, text.contains("net:configure init n --stage offloads"), text);
    assertEquals(!joins, text.contains("tx-udp-segmentation off"), text);
    assertEquals(0, app("count").received());
  }

  @Test
  void superpacketsArriveSplitInModeDrv() {
    start("mode", "drv");
    sendSuperpacket();
    until(() -> app("count").received() == SEGMENTS);
    isFine("superpackets");
    assertTrue(found("superpackets").getFirst().text().contains("drv"));
  }

  @Test
  void unfinishedChecksumsOfLocalSendersAreNamed() throws IOException {
    start("udp_checksum", "drop");
    try (DatagramSocket client = client()) {
      for (int i = 0; i < 3; i++) {
        client.send(packet(i, PORT));
      }
    }
    until(() -> counter("rx", "checksum") == 3);
    String text = bad("checksums");
    assertTrue(text.startsWith("3 frames were dropped with an unfinished checksum"), text);
    assertTrue(text.contains("net:set n udp_checksum=off"), text);
    core.set("n", Map.of("udp_checksum", "off"));
    try (DatagramSocket client = client()) {
      client.send(packet(3, PORT));
    }
    until(() -> app("count").received() == 1);
  }

  @Test
  void anInterfaceThatIsDownIsNamed() {
    start();
    isFine("link");
    new LinkRequests(pair.kernelB).setUp(pair.vb().index(), false);
    assertTrue(bad("link").contains("ip link set vb up"));
    new LinkRequests(pair.kernelB).setUp(pair.vb().index(), true);
    until(() -> found("link").stream().allMatch(NetFinding::ok));
    new LinkRequests(pair.kernelA).setUp(pair.va().index(), false);
    assertTrue(bad("link").contains("no carrier"));
  }

  @Test
  void anEmptyFillRingIsNamed() throws IOException {
    start();
    isFine("fill ring");
    core.remove(tiles);
    until(() -> core.find("n").orElseThrow().state() == NetState.WAITING);
    assertFalse(found("tiles").getFirst().ok());
    try (DatagramSocket client = client()) {
      for (int i = 0; i < 600; i++) {
        client.send(packet(i, PORT));
      }
    }
    core.add(tiles);
    String text = bad("fill ring");
    assertTrue(text.contains("rx_queue"), text);
    isFine("superpackets");
  }

  @Test
  void framesThatDoNotLeaveAreNamed() throws IOException {
    new RouteRequests(pair.kernelB).removeNeighbour(pair.vb().index(), A);
    core.create("n", settings());
    app("back", "echo", "own");
    running();
    until(() -> app("back").running());
    try (DatagramSocket client = client()) {
      client.send(packet(1, PORT));
    }
    assertTrue(bad("sending").startsWith("1 frames: no_neighbor: "), found("sending")::toString);
  }

  @Test
  void anotherAddressIsNamed() throws IOException {
    start("address", "198.18.0.99");
    try (DatagramSocket client = client()) {
      client.send(packet(1, PORT));
    }
    String text = bad("address");
    assertTrue(text.startsWith("198.18.0.99 is no address of the namespace"), text);
    assertEquals(0, counter("rx", "seen"));
  }
}
