package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetState;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TxDrop;
import io.isle.net.apps.EchoApp;
import io.isle.net.tile.TileService;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.Neighbour;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.netlink.Rtnetlink;
import io.isle.net.xdp.testing.Pair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
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
  private static final int A = Ipv4.parse("198.18.0.1");
  private static final int B = Ipv4.parse("198.18.0.2");
  private static final int RX_QUEUE = 512;
  private static final int ROOM = 2048;
  private static final long LIMIT_NS = 20_000_000_000L;

  @TempDir Path folder;

  private Pair pair;
  private ThreadedAgentHost host;
  private NetCore core;
  private XskPeer peer;
  private int firstQueue;
  private final TileService tiles = new TileService();

  /**
   * Counters of an interface.
   *
   * @param rxDropped received frames that the kernel dropped
   * @param txDropped frames that the kernel did not hand to the other side
   */
  private record Interface(long rxDropped, long txDropped) {}

  private void begin(int queues, String mode, int tileCount, int peerRx, int peerFills)
      throws IOException {
    pair = new Pair(queues);
    new LinkRequests(pair.kernelA).addAddress(pair.va().index(), A, 24);
    new LinkRequests(pair.kernelB).addAddress(pair.vb().index(), B, 24);
    new RouteRequests(pair.kernelA).addNeighbour(pair.va().index(), B, pair.vb().station());
    new RouteRequests(pair.kernelB).addNeighbour(pair.vb().index(), A, pair.va().station());
    host = new ThreadedAgentHost(0, System::nanoTime);
    core =
        new NetCore(
            new MemoryFiles(),
            host,
            new NetSpaces(new LabRegistry()),
            folder,
            new AuditTrail(() -> null, NetException::new));
    core.add(tiles);
    core.add("echo", new EchoApp());
    Map<String, String> settings = new HashMap<>();
    settings.put("interface", "vb");
    settings.put("netns", "/proc/self/fd/" + pair.b.descriptor());
    settings.put("mode", mode);
    settings.put("tiles", Integer.toString(tileCount));
    settings.put("queue", Integer.toString(firstQueue));
    settings.put("rx_queue", Integer.toString(RX_QUEUE));
    settings.put("tx_queue", "1024");
    settings.put("app_frames", "1024");
    core.create("n", settings);
    core.createApp(
        "back", Map.of("kind", "echo", "nets", "n", "ports", "9000", "depth", "1024"));
    until(() -> core.find("n").orElseThrow().state() == NetState.RUNNING);
    until(() -> app().running());
    peer = new XskPeer(pair, queues, mode, peerRx, peerFills);
  }

  @AfterEach
  void end() throws IOException {
    if (peer != null) {
      peer.close();
    }
    if (core != null) {
      core.close();
      host.close();
    }
    if (pair != null) {
      pair.close();
    }
  }

  private AppInfo app() {
    return core.apps().getFirst();
  }

  private void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        fail(
            core.infos()
                + " "
                + core.apps()
                + " "
                + core.counters("n").stream().filter(one -> one.value() != 0).toList()
                + " va "
                + device(pair.a, "va")
                + " vb "
                + device(pair.b, "vb")
                + " missed "
                + missed()
                + " peer "
                + peer.take());
      }
      Thread.onSpinWait();
    }
  }

  private long counter(String group, String name) {
    return core.counters("n").stream()
        .filter(one -> one.group().equals(group) && one.name().equals(name))
        .mapToLong(NetCounter::value)
        .sum();
  }

  private long rxDropped() {
    long sum = 0;
    for (RxDrop reason : RxDrop.values()) {
      sum += counter("rx", reason.text());
    }
    return sum;
  }

  private long txDropped() {
    long sum = 0;
    for (TxDrop reason : TxDrop.values()) {
      sum += counter("tx", reason.text());
    }
    return sum;
  }

  /** Frames that matched on a queue without a tile. */
  private long missed() {
    return core.explain("n").stream()
        .filter(one -> one.subject().equals("queues") && !one.ok())
        .mapToLong(one -> Long.parseLong(one.text().split(" ", 2)[0]))
        .sum();
  }

  /** Frames that the kernel lost at the sockets of the net. */
  private long kernelLost() {
    return counter("kernel", "fill_ring_empty")
        + counter("kernel", "ring_full")
        + counter("kernel", "other");
  }

  private static Interface device(NetNamespace space, String name) {
    List<String> lines =
        space.call(
            () -> {
              try {
                return Files.readAllLines(Path.of("/proc/thread-self/net/dev"));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    String[] fields =
        lines.stream()
            .map(String::strip)
            .filter(line -> line.startsWith(name + ":"))
            .findFirst()
            .orElseThrow()
            .substring(name.length() + 1)
            .strip()
            .split("\\s+", -1);
    return new Interface(Long.parseLong(fields[3]), Long.parseLong(fields[11]));
  }

  /**
   * Frames that were lost between the sockets of both sides. In the driver, the kernel counts a
   * frame that it loses at a socket as one of the interface, too.
   *
   * @param from sends
   * @param atSockets frames that the kernel lost at the sockets of the other side
   */
  private static long onTheWay(Interface from, Interface to, String mode, long atSockets) {
    return from.txDropped() + to.rxDropped() - (mode.equals("drv") ? atSockets : 0);
  }

  /** Where frames of the peer are, in the end. */
  private boolean areAccounted(long sent, String mode) {
    long lost = kernelLost();
    long way = onTheWay(device(pair.a, "va"), device(pair.b, "vb"), mode, lost);
    return sent == counter("rx", "seen") + lost + missed() + way;
  }

  /** Each frame of the app was passed on or dropped by one tile, and skipped by the others. */
  private boolean areSent(int tileCount) {
    AppInfo app = app();
    long sent = app.sent();
    return counter("rx", "passed") == app.received() + app.overruns()
        && sent == counter("tx", "passed") + txDropped()
        && (tileCount - 1) * sent == counter("tx", "skipped")
        && counter("tx", "passed") == counter("tx", "sent");
  }

  /** Where frames to the peer are, in the end. */
  private boolean haveArrived(String mode) {
    XskPeer.Taken taken = peer.take();
    long lost = taken.empty() + taken.full();
    long way = onTheWay(device(pair.b, "vb"), device(pair.a, "va"), mode, lost);
    return counter("tx", "sent") == taken.received() + lost + way;
  }

  private void accounted(long sent, String mode, int tileCount) {
    until(() -> areAccounted(sent, mode));
    assertEquals(counter("rx", "seen"), counter("rx", "passed") + rxDropped());
    until(() -> areSent(tileCount));
    until(() -> haveArrived(mode));
    XskPeer.Taken taken = peer.take();
    assertEquals(taken.received(), taken.distinct(), "no frame arrives twice");
  }

  /** As many as find room everywhere: none is lost. */
  @ParameterizedTest
  @CsvSource({"skb, 1", "drv, 1", "skb, 2", "drv, 2"})
  void everyFrameComesBack(String mode, int queues) throws IOException {
    begin(queues, mode, queues, ROOM, ROOM);
    int burst = 100;
    int sent = 0;
    for (int turn = 0; turn < 20; turn++) {
      int before = sent;
      peer.send(turn % queues, before, burst, "good");
      sent += burst;
      until(() -> peer.take().received() == before + burst);
    }
    accounted(sent, mode, queues);
    assertEquals(sent, counter("rx", "passed"));
    assertEquals(0, kernelLost() + missed());
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
    begin(queues, mode, queues, ROOM, ROOM);
    core.remove(tiles);
    int sent = 0;
    for (int queue = 0; queue < queues; queue++) {
      peer.send(queue, sent, 3 * RX_QUEUE, "good");
      sent += 3 * RX_QUEUE;
    }
    core.add(tiles);
    accounted(sent, mode, queues);
    assertTrue(counter("kernel", "fill_ring_empty") >= RX_QUEUE);
    Map<String, String> reasons =
        Map.of("fragment", "fragment", "length", "bad_udp_length", "group", "multicast_source");
    for (Map.Entry<String, String> reason : reasons.entrySet()) {
      peer.send(queues - 1, sent, 50, reason.getKey());
      sent += 50;
      accounted(sent, mode, queues);
      assertEquals(50, counter("rx", reason.getValue()));
    }
    peer.send(0, sent, 70, "far");
    sent += 70;
    accounted(sent, mode, queues);
    assertEquals(70, counter("tx", "no_route"));
    int flood = 5000;
    peer.send(0, sent, flood, "good");
    accounted(sent + flood, mode, queues);
  }

  /** The peer has too few frames for receiving, or too little room for received ones. */
  @ParameterizedTest
  @CsvSource({"skb, 32", "drv, 32", "skb, 1024", "drv, 1024"})
  void whatThePeerLosesIsCountedThere(String mode, int fills) throws IOException {
    begin(1, mode, 1, 64, fills);
    int sent = 200;
    peer.send(0, 0, sent, "good");
    until(() -> counter("tx", "sent") == sent);
    accounted(sent, mode, 1);
    XskPeer.Taken taken = peer.take();
    assertEquals(Math.min(64, fills), taken.received());
    assertEquals(fills < 64, taken.empty() > 0);
    assertEquals(fills > 64, taken.full() > 0);
  }

  private DatagramSocket kernelSocket(NetNamespace space, String address, int port) {
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

  /** The first tile has the other queue than the one by which most frames come. */
  @ParameterizedTest
  @CsvSource({"skb, 1", "drv, 0"})
  void framesOfAQueueWithoutATileReachTheKernel(String mode, int firstQueue) throws IOException {
    this.firstQueue = firstQueue;
    begin(2, mode, 1, ROOM, ROOM);
    try (DatagramSocket kernel = kernelSocket(pair.b, "198.18.0.2", 9000)) {
      peer.send(0, 0, 60, "good");
      peer.send(1, 60, 60, "good");
      accounted(120, mode, 1);
      assertTrue(missed() >= 60, () -> "missed " + missed());
      receive(kernel, (int) missed());
    }
    assertEquals(120, counter("rx", "seen") + missed());
  }

  /** Of neighbours that nobody knows, behind the programs of both sides. */
  @ParameterizedTest
  @ValueSource(strings = {"skb", "drv"})
  void otherFramesAndQuestionsForAddressesReachTheKernel(String mode) throws IOException {
    begin(1, mode, 1, ROOM, ROOM);
    new RouteRequests(pair.kernelA).removeNeighbour(pair.va().index(), B);
    new RouteRequests(pair.kernelB).removeNeighbour(pair.vb().index(), A);
    try (DatagramSocket server = kernelSocket(pair.b, "198.18.0.2", 9001);
        DatagramSocket client = kernelSocket(pair.a, "198.18.0.1", 0)) {
      client.send(new DatagramPacket(new byte[4], 4, new InetSocketAddress("198.18.0.2", 9001)));
      DatagramPacket asked = new DatagramPacket(new byte[64], 64);
      server.receive(asked);
      server.send(new DatagramPacket(new byte[4], 4, asked.getSocketAddress()));
      receive(client, 1);
      knows(pair.kernelA, B, pair.vb().station());
      knows(pair.kernelB, A, pair.va().station());
      peer.send(0, 0, 100, "port");
      receive(server, 100);
    }
    assertTrue(
        pair.a.call(
            () -> {
              try {
                return InetAddress.getByName("198.18.0.2").isReachable(10_000);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }),
        "the kernel answers a ping");
    assertEquals(0, counter("rx", "seen"));
    peer.send(0, 100, 10, "good");
    accounted(10, mode, 1);
    assertEquals(10, peer.take().received());
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
