package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.NetState;
import io.isle.api.net.TileProcessInfo;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.lib.ffi.ChildProcess;
import io.isle.lib.packet.Ipv4;
import io.isle.net.tile.TileService;
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
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A net whose tile runs in a process, on one side of a veth pair; the other side is the kernel's. */
@Timeout(120)
class TileProcessTest {
  private static final int A = Ipv4.parse("198.18.0.1");
  private static final int B = Ipv4.parse("198.18.0.2");
  private static final int PORT = 9000;
  private static final int WINDOW = 64;
  private static final long LIMIT_NS = 30_000_000_000L;

  @TempDir Path folder;

  private Pair pair;
  private ThreadedAgentHost host;
  private NetCore core;
  private final TileService tiles = new TileService();

  @BeforeEach
  void begin() {
    pair = new Pair(1);
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
            ClassPathTiles.hosts(),
            folder,
            new AuditTrail(() -> null, NetException::new));
    core.add(tiles);
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

  private Map<String, String> settings(String... more) {
    Map<String, String> all = new HashMap<>();
    all.put("interface", "vb");
    all.put("netns", "/proc/self/fd/" + pair.b.descriptor());
    all.put("rx_queue", "512");
    all.put("tx_queue", "256");
    all.put("app_frames", "1024");
    all.put("placement", "process");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private static Map<String, String> echo(String thread) {
    return Map.of(
        "kind", "echo", "nets", "n", "ports", Integer.toString(PORT), "depth", "512", "thread",
        thread);
  }

  /** Waits, and tells all counters if the condition does not come. */
  private void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        fail(core.infos() + " " + core.apps() + " " + counters());
      }
      Thread.onSpinWait();
    }
  }

  private String counters() {
    return core.counters("n").stream()
        .filter(one -> one.value() != 0)
        .map(one -> one.group() + "." + one.name() + "=" + one.value())
        .toList()
        .toString();
  }

  private long counter(String group, String name) {
    return core.counters("n").stream()
        .filter(one -> one.group().equals(group) && one.name().equals(name))
        .mapToLong(one -> one.value())
        .sum();
  }

  private TileProcessInfo process() {
    return core.find("n").orElseThrow().tiles().getFirst().process().orElseThrow();
  }

  private boolean isRunning() {
    return core.find("n").orElseThrow().state() == NetState.RUNNING;
  }

  private void start(String... more) {
    core.create("n", settings(more));
    core.createApp("back", echo("own"));
    until(this::isRunning);
    until(() -> core.apps().getFirst().running());
  }

  /** A client that keeps a window of numbered datagrams on their way. */
  private final class Client implements AutoCloseable {
    private final DatagramSocket socket =
        pair.a.call(
            () -> {
              try {
                return new DatagramSocket(0, InetAddress.getByName("198.18.0.1"));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    private int sent;
    private int back;

    void exchange(int count) throws IOException {
      socket.setSoTimeout(30_000);
      int end = sent + count;
      byte[] into = new byte[64];
      while (back < end) {
        while (sent < end && sent - back < WINDOW) {
          byte[] bytes = ByteBuffer.allocate(64).putInt(sent++).array();
          socket.send(
              new DatagramPacket(
                  bytes, bytes.length, new InetSocketAddress("198.18.0.2", PORT)));
        }
        try {
          socket.receive(new DatagramPacket(into, into.length));
        } catch (SocketTimeoutException e) {
          fail("no answer: " + core.infos() + " " + core.apps() + " " + counters(), e);
        }
        assertEquals(back++, ByteBuffer.wrap(into).getInt());
      }
    }

    @Override
    public void close() {
      socket.close();
    }
  }

  @Test
  void noFrameIsLostWhileProcessesAreReplacedAndKilled() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(1000);
      for (int round = 0; round < 5; round++) {
        TileProcessInfo before = process();
        until(() -> process().standby().isPresent());
        if (round % 2 == 0) {
          core.reload("n");
        } else {
          assertTrue(ChildProcess.kill(before.pid().orElseThrow()));
        }
        client.exchange(1000);
        until(() -> process().starts() == before.starts() + 1);
        assertNotEquals(before.pid(), process().pid());
      }
      client.exchange(1000);
    }
    assertTrue(process().reason().contains("signal 9"), process().reason());
    assertEquals(7000, counter("rx", "seen"));
    assertEquals(7000, counter("rx", "passed"));
    assertEquals(7000, counter("tx", "passed"));
  }

  @Test
  void theBundleOfTilesIsUpdatedWithoutLoss() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(500);
      long pid = process().pid().orElseThrow();
      core.remove(tiles);
      client.exchange(500);
      assertEquals(pid, process().pid().orElseThrow());
      core.add(new TileService());
      client.exchange(500);
    }
    assertEquals(1500, counter("tx", "passed"));
  }

  @Test
  void aTileWithoutAStandbyIsReplaced() throws IOException {
    start("standby", "false");
    assertTrue(process().standby().isEmpty());
    try (Client client = new Client()) {
      client.exchange(100);
      assertTrue(ChildProcess.kill(process().pid().orElseThrow()));
      client.exchange(100);
      core.reload("n");
      client.exchange(100);
      until(() -> process().starts() == 3);
      client.exchange(100);
    }
  }

  /** A stopped process runs no code that could tell. */
  @Test
  void aTileThatHangsIsReplaced() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(100);
      until(() -> process().standby().isPresent());
      assertTrue(ChildProcess.stop(process().pid().orElseThrow()));
      client.exchange(100);
    }
    assertTrue(process().reason().contains("no sign of life"), process().reason());
  }

  @Test
  void tilesMoveBetweenThePlatformAndProcesses() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(200);
      core.set("n", Map.of("placement", "agent"));
      client.exchange(200);
      assertTrue(core.find("n").orElseThrow().tiles().getFirst().process().isEmpty());
      core.set("n", Map.of("placement", "process"));
      client.exchange(200);
      until(this::isRunning);
      assertTrue(process().pid().isPresent());
    }
    assertEquals(600, counter("tx", "passed"));
  }

  @Test
  void appsOnTheThreadOfATileNeedThePlatform() {
    core.create("n", settings());
    NetException app =
        assertThrows(NetException.class, () -> core.createApp("back", echo("tile")));
    assertEquals(Errno.EINVAL, app.code());
    assertTrue(app.getMessage().startsWith("thread: "), app.getMessage());
    core.set("n", Map.of("placement", "agent"));
    core.createApp("back", echo("tile"));
    NetException net =
        assertThrows(
            NetException.class, () -> core.set("n", Map.of("placement", "process")));
    assertEquals(Errno.EINVAL, net.code());
    assertTrue(net.getMessage().startsWith("placement: "), net.getMessage());
  }

  @Test
  void theEndOfANetEndsItsProcesses() {
    start();
    until(() -> process().standby().isPresent());
    TileProcessInfo process = process();
    assertTrue(core.remove("n"));
    assertFalse(ChildProcess.kill(process.pid().orElseThrow()));
    assertFalse(ChildProcess.kill(process.standby().orElseThrow()));
  }
}
