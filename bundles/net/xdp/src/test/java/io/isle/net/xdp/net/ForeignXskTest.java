package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.NetState;
import io.isle.lib.ffi.NetNamespace;
import io.isle.net.tile.TileService;
import io.isle.net.xdp.net.PeerNet.Plan;
import io.isle.net.xdp.netlink.Neighbour;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.netlink.Rtnetlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A net, and on the other side a program with sockets of AF_XDP and a program of eBPF of its own:
 * every frame between both is somewhere in the counters, once.
 */
@Timeout(120)
class ForeignXskTest {
  @TempDir Path folder;

  private final TileService tiles = new TileService();
  private PeerNet net;

  private XskPeer begin(Plan plan) throws IOException {
    net = new PeerNet(plan, tiles, folder);
    return net.peer;
  }

  @AfterEach
  void end() throws IOException {
    if (net != null) {
      net.close();
    }
  }

  /** As many as find room everywhere: none is lost. */
  @ParameterizedTest
  @CsvSource({"skb, 1", "drv, 1", "skb, 2", "drv, 2"})
  void everyFrameComesBack(String mode, int queues) throws IOException {
    XskPeer peer = begin(Plan.of(queues, mode));
    int burst = 100;
    int sent = 0;
    for (int turn = 0; turn < 20; turn++) {
      sent += burst;
      int all = sent;
      peer.send(turn % queues, sent - burst, burst, "good");
      net.until(() -> peer.take().received() == all);
    }
    net.account(sent);
    assertEquals(sent, net.counter("rx", "passed"));
    assertEquals(0, net.kernelLost() + net.missed());
    XskPeer.Taken taken = peer.take();
    assertEquals(sent, taken.distinct());
    if (mode.equals("drv")) {
      // in the other mode, the kernel of a pair of interfaces forgets the queue
      taken.queues().forEach(count -> assertTrue(count > 0, taken::toString));
    }
  }

  /** More than finds room, no tiles for a while, frames that nobody wants, answers to nowhere. */
  @ParameterizedTest
  @CsvSource({"skb, 1", "drv, 1", "skb, 2", "drv, 2"})
  void everyLossHasItsReason(String mode, int queues) throws IOException {
    XskPeer peer = begin(Plan.of(queues, mode));
    net.core.remove(tiles);
    net.until(() -> net.core.find("n").orElseThrow().state() == NetState.WAITING);
    int sent = 0;
    for (int queue = 0; queue < queues; queue++) {
      peer.send(queue, sent, 3 * PeerNet.RX_QUEUE, "good");
      sent += 3 * PeerNet.RX_QUEUE;
    }
    net.core.add(tiles);
    net.account(sent);
    assertTrue(net.counter("kernel", "fill_ring_empty") >= PeerNet.RX_QUEUE);
    Map<String, String> reasons =
        Map.of("fragment", "fragment", "length", "bad_udp_length", "group", "multicast_source");
    for (Map.Entry<String, String> reason : reasons.entrySet()) {
      peer.send(queues - 1, sent, 50, reason.getKey());
      sent += 50;
      net.account(sent);
      assertEquals(50, net.counter("rx", reason.getValue()));
    }
    peer.send(0, sent, 70, "far");
    sent += 70;
    net.account(sent);
    assertEquals(70, net.counter("tx", "no_route"));
    int flood = 5000;
    peer.send(0, sent, flood, "good");
    net.account(sent + flood);
  }

  /** The peer has too few frames for receiving, or too little room for received ones. */
  @ParameterizedTest
  @CsvSource({"skb, 32", "drv, 32", "skb, 1024", "drv, 1024"})
  void whatThePeerLosesIsCountedThere(String mode, int fills) throws IOException {
    XskPeer peer = begin(Plan.of(1, mode).peer(64, fills));
    int sent = 200;
    peer.send(0, 0, sent, "good");
    net.until(() -> net.counter("tx", "sent") == sent);
    net.account(sent);
    XskPeer.Taken taken = peer.take();
    assertEquals(Math.min(64, fills), taken.received());
    assertEquals(fills < 64, taken.empty() > 0);
    assertEquals(fills > 64, taken.full() > 0);
  }

  private static DatagramSocket kernelSocket(NetNamespace space, String address, int port) {
    return space.call(
        () -> {
          try {
            DatagramSocket socket = new DatagramSocket(port, InetAddress.getByName(address));
            socket.setSoTimeout(20_000);
            socket.setReceiveBufferSize(1 << 20);
            return socket;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void receive(DatagramSocket socket, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      socket.receive(new DatagramPacket(new byte[64], 64));
    }
  }

  /** The tile has the other queue than the one by which most frames come. */
  @ParameterizedTest
  @CsvSource({"skb, 1", "drv, 0"})
  void framesOfAQueueWithoutATileReachTheKernel(String mode, int tile) throws IOException {
    XskPeer peer = begin(Plan.of(2, mode).tiles(1, tile));
    try (DatagramSocket kernel = kernelSocket(net.pair.b, "198.18.0.2", 9000)) {
      peer.send(0, 0, 60, "good");
      peer.send(1, 60, 60, "good");
      net.account(120);
      assertTrue(net.missed() >= 60, () -> "missed " + net.missed());
      receive(kernel, (int) net.missed());
    }
    assertEquals(120, net.counter("rx", "seen") + net.missed());
  }

  /** Of neighbours that nobody knows, behind the programs of both sides. */
  @ParameterizedTest
  @ValueSource(strings = {"skb", "drv"})
  void otherFramesAndQuestionsForAddressesReachTheKernel(String mode) throws IOException {
    XskPeer peer = begin(Plan.of(1, mode));
    new RouteRequests(net.pair.kernelA).removeNeighbour(net.pair.va().index(), PeerNet.B);
    new RouteRequests(net.pair.kernelB).removeNeighbour(net.pair.vb().index(), PeerNet.A);
    try (DatagramSocket server = kernelSocket(net.pair.b, "198.18.0.2", 9001);
        DatagramSocket client = kernelSocket(net.pair.a, "198.18.0.1", 0)) {
      client.send(new DatagramPacket(new byte[4], 4, new InetSocketAddress("198.18.0.2", 9001)));
      DatagramPacket asked = new DatagramPacket(new byte[64], 64);
      server.receive(asked);
      server.send(new DatagramPacket(new byte[4], 4, asked.getSocketAddress()));
      receive(client, 1);
      knows(net.pair.kernelA, PeerNet.B, net.pair.vb().station());
      knows(net.pair.kernelB, PeerNet.A, net.pair.va().station());
      peer.send(0, 0, 100, "port");
      receive(server, 100);
    }
    assertTrue(
        net.pair.a.call(
            () -> {
              try {
                return InetAddress.getByName("198.18.0.2").isReachable(10_000);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }),
        "the kernel answers a ping");
    assertEquals(0, net.counter("rx", "seen"));
    // the net learns the neighbour from the kernel soon, and drops answers until then
    int sent = 0;
    while (peer.take().received() == 0) {
      peer.send(0, 100 + sent, 1, "good");
      net.account(++sent);
    }
    assertEquals(1, peer.take().received());
    assertEquals(sent - 1, net.counter("tx", "no_neighbor"));
  }

  private static void knows(Rtnetlink kernel, int address, long station) {
    assertEquals(
        List.of(station),
        kernel.neighbours().stream()
            .filter(one -> one.address() == address)
            .map(Neighbour::station)
            .toList());
  }
}
