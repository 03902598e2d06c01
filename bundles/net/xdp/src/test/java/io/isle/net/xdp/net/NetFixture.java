package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.fail;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetException;
import io.isle.api.net.NetState;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.lib.packet.Ipv4;
import io.isle.net.tile.TileService;
import io.isle.net.xdp.host.TileHosts;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.testing.Pair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Nets on one side of a veth pair; the other side is the kernel's. */
abstract class NetFixture {
  static final int A = Ipv4.parse("198.18.0.1");
  static final int B = Ipv4.parse("198.18.0.2");
  static final String TWO_QUEUES = "queues";

  /** Each end of a tile's process counts, however slow the machine is. */
  static final String EACH_END = "ends";

  static final int PORT = 9000;
  static final long LIMIT_NS = 60_000_000_000L;

  @TempDir Path folder;

  Pair pair;
  ThreadedAgentHost host;
  NetCore core;
  final MemoryFiles files = new MemoryFiles();
  final TileService tiles = new TileService();

  @BeforeEach
  void begin(TestInfo test) {
    pair = new Pair(test.getTags().contains(TWO_QUEUES) ? 2 : 1);
    new LinkRequests(pair.kernelA).addAddress(pair.va().index(), A, 24);
    new LinkRequests(pair.kernelB).addAddress(pair.vb().index(), B, 24);
    new RouteRequests(pair.kernelA).addNeighbour(pair.va().index(), B, pair.vb().station());
    new RouteRequests(pair.kernelB).addNeighbour(pair.vb().index(), A, pair.va().station());
    host = new ThreadedAgentHost(0, System::nanoTime);
    core =
        new NetCore(
            files,
            host,
            new NetSpaces(new LabRegistry()),
            folder,
            new AuditTrail(() -> null, NetException::new),
            new HostFile(folder.resolve("net-hosts")),
            ClassPathTiles.hosts(
                test.getTags().contains(EACH_END) ? Duration.ofHours(1) : TileHosts.LONG_LIFE));
    core.add(tiles);
    core.add("drop", new EchoApp(true));
    core.add("echo", new EchoApp(false));
  }

  @AfterEach
  void end() {
    if (core != null) {
      core.close();
      host.close();
      pair.close();
    }
  }

  Map<String, String> settings(String... more) {
    Map<String, String> all = new HashMap<>();
    all.put("interface", "vb");
    all.put("netns", "/proc/self/fd/" + pair.b.descriptor());
    all.put("rx_queue", "512");
    all.put("tx_queue", "256");
    all.put("app_frames", "1024");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  void app(String name, String kind, String thread) {
    core.createApp(
        name,
        Map.of(
            "kind",
            kind,
            "nets",
            "n",
            "ports",
            Integer.toString(PORT),
            "depth",
            "512",
            "thread",
            thread));
  }

  AppInfo app(String name) {
    return core.apps().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  /** Waits, and tells all counters if the condition does not come. */
  void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        fail(core.infos() + " " + core.apps() + " " + counters());
      }
      Thread.onSpinWait();
    }
  }

  String counters() {
    return core.counters("n").stream()
        .filter(one -> one.value() != 0)
        .map(one -> one.group() + "." + one.name() + "=" + one.value())
        .toList()
        .toString();
  }

  void running() {
    until(() -> core.find("n").orElseThrow().state() == NetState.RUNNING);
  }

  long counter(String group, String name) {
    return core.counters("n").stream()
        .filter(one -> one.group().equals(group) && one.name().equals(name))
        .mapToLong(one -> one.value())
        .sum();
  }

  /** A socket of the other side. */
  DatagramSocket client() {
    return pair.a.call(
        () -> {
          try {
            return new DatagramSocket(0, InetAddress.getByName("198.18.0.1"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  static DatagramPacket packet(int number, int port) {
    byte[] bytes = ByteBuffer.allocate(64).putInt(number).array();
    return new DatagramPacket(bytes, bytes.length, new InetSocketAddress("198.18.0.2", port));
  }

  void receive(DatagramSocket client, byte[] into) throws IOException {
    try {
      client.receive(new DatagramPacket(into, into.length));
    } catch (SocketTimeoutException e) {
      fail("no answer: " + core.infos() + " " + core.apps() + " " + counters(), e);
    }
  }
}
