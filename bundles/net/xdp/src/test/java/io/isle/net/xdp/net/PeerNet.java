package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetCounter;
import io.isle.api.net.NetException;
import io.isle.api.net.NetState;
import io.isle.api.net.tile.Tiles;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TxDrop;
import io.isle.net.apps.EchoApp;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.testing.Pair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * A net with an echo app on side b of a pair, and a foreign program with sockets of AF_XDP on side
 * a: where each frame between both is, by the counters of all.
 */
final class PeerNet implements AutoCloseable {
  static final int A = Ipv4.parse("198.18.0.1");
  static final int B = Ipv4.parse("198.18.0.2");

  /** Frames of each queue of the net that wait for a tile. */
  static final int RX_QUEUE = 512;

  private static final long LIMIT_NS = 20_000_000_000L;
  private static final String NET = "n";

  final Pair pair;
  final NetCore core;
  final XskPeer peer;
  private final ThreadedAgentHost host;
  private final String mode;
  private final int tiles;

  /**
   * What is made.
   *
   * @param queues of both interfaces
   * @param mode of both programs
   * @param firstQueue of the first tile
   * @param peerRx entries of each ring of received frames of the peer
   * @param peerFills frames of each queue of the peer for receiving
   */
  record Plan(int queues, String mode, int tiles, int firstQueue, int peerRx, int peerFills) {
    private static final int ROOM = 2048;

    /** A tile and much room for each queue. */
    static Plan of(int queues, String mode) {
      return new Plan(queues, mode, queues, 0, ROOM, ROOM);
    }

    Plan tiles(int count, int first) {
      return new Plan(queues, mode, count, first, peerRx, peerFills);
    }

    Plan peer(int rx, int fills) {
      return new Plan(queues, mode, tiles, firstQueue, rx, fills);
    }
  }

  /**
   * Frames that the kernel lost at an interface.
   *
   * @param rx received ones
   * @param tx those that the other side did not get
   */
  private record Interface(long rx, long tx) {}

  PeerNet(Plan plan, Tiles service, Path folder) throws IOException {
    mode = plan.mode();
    tiles = plan.tiles();
    pair = new Pair(plan.queues());
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
            new AuditTrail(() -> null, NetException::new),
            new HostFile(folder.resolve("net-hosts")),
            ClassPathTiles.hosts());
    core.add(service);
    core.add("echo", new EchoApp());
    Map<String, String> settings = new HashMap<>();
    settings.put("interface", "vb");
    settings.put("netns", "/proc/self/fd/" + pair.b.descriptor());
    settings.put("mode", mode);
    settings.put("tiles", Integer.toString(tiles));
    settings.put("queue", Integer.toString(plan.firstQueue()));
    settings.put("rx_queue", Integer.toString(RX_QUEUE));
    settings.put("tx_queue", "1024");
    settings.put("app_frames", "1024");
    core.create(NET, settings);
    core.createApp("back", Map.of("kind", "echo", "nets", NET, "ports", "9000", "depth", "1024"));
    XskPeer made = null;
    try {
      until(() -> core.find(NET).orElseThrow().state() == NetState.RUNNING);
      until(() -> app().running());
      made = new XskPeer(pair, plan.queues(), mode, plan.peerRx(), plan.peerFills());
    } finally {
      peer = made;
      if (made == null) {
        close();
      }
    }
  }

  AppInfo app() {
    return core.apps().getFirst();
  }

  /** Waits, and tells all figures if the condition does not come. */
  void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        fail(figures());
      }
      Thread.onSpinWait();
    }
  }

  private String figures() {
    return core.infos()
        + " "
        + core.apps()
        + " "
        + core.counters(NET).stream().filter(one -> one.value() != 0).toList()
        + " va "
        + device(pair.a, "va")
        + " vb "
        + device(pair.b, "vb")
        + " missed "
        + missed()
        + (peer == null ? "" : " peer " + peer.take());
  }

  /** Sum of all tiles. */
  long counter(String group, String name) {
    return core.counters(NET).stream()
        .filter(one -> one.group().equals(group) && one.name().equals(name))
        .mapToLong(NetCounter::value)
        .sum();
  }

  /** Of one tile. */
  long counter(int tile, String group, String name) {
    return core.counters(NET).stream()
        .filter(one -> one.tile() == tile)
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
  long missed() {
    return core.explain(NET).stream()
        .filter(one -> one.subject().equals("queues") && !one.ok())
        .mapToLong(one -> Long.parseLong(one.text().split(" ", 2)[0]))
        .sum();
  }

  /** Frames that the kernel lost at the sockets of the net. */
  long kernelLost() {
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
   * @param atSockets frames that the kernel lost at the sockets of the receiving side
   */
  private long onTheWay(Interface from, Interface to, long atSockets) {
    return from.tx() + to.rx() - (mode.equals("drv") ? atSockets : 0);
  }

  /** Each frame of the peer was seen by a tile, or lost by the kernel, or went to the kernel. */
  private boolean areSeen(long sent) {
    long lost = kernelLost();
    long way = onTheWay(device(pair.a, "va"), device(pair.b, "vb"), lost);
    return sent == counter("rx", "seen") + lost + missed() + way;
  }

  /** Each frame of the app was passed on or dropped by one tile, and skipped by the others. */
  private boolean areSent() {
    AppInfo app = app();
    long sent = app.sent();
    return counter("rx", "passed") == app.received() + app.overruns()
        && sent == counter("tx", "passed") + txDropped()
        && (tiles - 1) * sent == counter("tx", "skipped")
        && counter("tx", "passed") == counter("tx", "sent");
  }

  /** Each frame of the net has arrived at the peer, or was lost by the kernel. */
  private boolean haveArrived() {
    XskPeer.Taken taken = peer.take();
    long lost = taken.empty() + taken.full();
    long way = onTheWay(device(pair.b, "vb"), device(pair.a, "va"), lost);
    return counter("tx", "sent") == taken.received() + lost + way;
  }

  /**
   * Waits until all frames of both directions are somewhere, once.
   *
   * @param sent frames that the peer has sent so far
   */
  void account(long sent) {
    until(() -> areSeen(sent));
    assertEquals(counter("rx", "seen"), counter("rx", "passed") + rxDropped());
    until(this::areSent);
    until(this::haveArrived);
    XskPeer.Taken taken = peer.take();
    assertEquals(taken.received(), taken.distinct(), "no frame arrives twice");
  }

  @Override
  public void close() throws IOException {
    if (peer != null) {
      peer.close();
    }
    core.close();
    host.close();
    pair.close();
  }
}
