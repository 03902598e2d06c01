package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.impair.ImpairComponent;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.stage.PassStage;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.fabric.udp.UdpTransport;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ring of a master and a worker, with a relay in each link that harms the path. */
@Timeout(120)
class ImpairedRingTest {
  private static final int DIM = 1024;
  private static final int BYTES = Packets.HEADER_BYTES + 4 * DIM;
  private static final long SECOND = 1_000_000_000;
  private static final int WINDOW = 32;

  /** Settings files in memory. */
  private static final class Files implements ConfigFiles {
    private final Map<String, Map<String, String>> all = new ConcurrentHashMap<>();

    @Override
    public Optional<Map<String, String>> read(String pid) {
      return Optional.ofNullable(all.get(pid));
    }

    @Override
    public void set(String pid, Map<String, String> changes) {
      Map<String, String> now = new HashMap<>(all.getOrDefault(pid, Map.of()));
      now.putAll(changes);
      all.put(pid, now);
    }

    @Override
    public Map<String, Map<String, String>> instances(String factoryPid) {
      Map<String, Map<String, String>> found = new HashMap<>();
      all.forEach((pid, of) -> found.put(pid.substring(factoryPid.length() + 1), of));
      return found;
    }

    @Override
    public boolean delete(String pid) {
      return all.remove(pid) != null;
    }
  }

  private final ImpairComponent relays = new ImpairComponent(new Files());
  private final Arena arena = Arena.ofShared();
  private final FabricAgent agent = new FabricAgent(() -> {});
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final MemorySegment into = arena.allocate(BYTES, 8);
  private RingNode master;
  private RingNode worker;
  private RingEndpoint endpoint;

  /** Opens the ring; nodes listen on the first two ports, relays on the others. */
  private void open(String scheme, String dialect, Map<String, String> faults) {
    List<String> at =
        (scheme.equals("tcp") ? FreePorts.tcp(4) : FreePorts.udp(4))
            .stream().map(port -> scheme + "://127.0.0.1:" + port).toList();
    for (int i = 0; i < 2; i++) {
      Map<String, String> given = new HashMap<>(faults);
      given.putAll(
          Map.of(
              "fault_injection",
              "true",
              "listen",
              at.get(2 + i),
              "to",
              at.get(i),
              "seed",
              Integer.toString(i + 1)));
      relays.create("r" + i, given);
      while (!relays.find("r" + i).orElseThrow().up()) {
        Thread.onSpinWait();
      }
    }
    RingTransport transport = scheme.equals("tcp") ? new TcpTransport() : new UdpTransport();
    master = node("m", "master", at.get(0), at.get(3), dialect, transport);
    worker = node("w", "worker", at.get(1), at.get(2), dialect, transport);
    endpoint = master.open(new TestCapability(), TestRing.NO_RECORD, () -> {});
  }

  private RingNode node(
      String name, String role, String listen, String next, String dialect, RingTransport by) {
    RingNode node =
        new RingNode(
            name,
            NodeSettings.of(
                Map.of(
                    "role", role,
                    "dim", "" + DIM,
                    "listen", listen,
                    "next", next,
                    "prev.dialect", dialect,
                    "next.dialect", dialect,
                    "frame_timeout_ms", "300")),
            agent);
    node.use("pass", new PassStage());
    node.attach(listen.substring(0, listen.indexOf(':')), by);
    return node;
  }

  @AfterEach
  void close() {
    master.close();
    worker.close();
    agent.close();
    relays.remove("r0");
    relays.remove("r1");
    arena.close();
  }

  private void send(int position) {
    Packets.header(packet, 0, position, Packets.NEED_REPLY);
    packet.asSlice(Packets.HEADER_BYTES).fill((byte) position);
    assertEquals(BYTES, endpoint.sendNext(packet, 0, BYTES, 20 * SECOND));
  }

  private void exact(int count) {
    int sent = 0;
    int received = 0;
    while (received < count) {
      if (sent < count && sent - received < WINDOW) {
        send(sent++);
      } else {
        assertEquals(BYTES, endpoint.recvPrev(into, 0, BYTES, 20 * SECOND));
        assertEquals(received, Packets.pos(into, 0));
        assertEquals((byte) received, into.get(ValueLayout.JAVA_BYTE, BYTES - 1L));
        received++;
      }
    }
  }

  @Test
  void datagramsOfDialectIsleLoseNothing() {
    open(
        "udp",
        "isle",
        Map.of(
            "loss_ppm", "10000",
            "duplicate_ppm", "10000",
            "reorder_ppm", "50000",
            "delay_ms", "50",
            "jitter_ms", "2"));
    exact(1000);
    assertTrue(relays.find("r0").orElseThrow().lost() > 0);
    LinkCounters counters = worker.info().prev().counters();
    assertEquals(0, counters.lost());
    assertTrue(master.info().next().counters().repaired() > 0);
  }

  @Test
  void streamsOfDialectIsleLoseNothing() {
    open("tcp", "isle", Map.of("delay_ms", "50", "cut_every_bytes", "1m"));
    exact(1000);
    assertTrue(relays.find("r0").orElseThrow().cuts() > 0);
    assertEquals(0, worker.info().prev().counters().lost());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp"})
  void pathsThatPassNothingAreNamedAndComeBack(String scheme) {
    open(scheme, "isle", Map.of());
    exact(100);
    cut("both", "r0");
    named(FailureCause.CUT);
    cut("none", "r0");
    await(() -> master.info().health().lasting().isEmpty());
    exact(100);
    cut("both", "r0", "r1");
    named(FailureCause.SILENT);
    cut("none", "r0", "r1");
    await(() -> master.info().health().lasting().isEmpty());
    exact(100);
    assertEquals(2, master.info().health().failed());
  }

  private void cut(String blackHole, String... names) {
    for (String name : names) {
      relays.set(name, Map.of("black_hole", blackHole));
    }
  }

  private static void await(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  /** Waits until the master names the worker, within two seconds, and for this cause. */
  private void named(FailureCause cause) {
    long begin = System.nanoTime();
    await(() -> !master.info().health().lasting().isEmpty());
    assertTrue(System.nanoTime() - begin <= 2 * SECOND, "named within 2 s");
    await(() -> master.info().health().lasting().getFirst().cause() == cause);
    NodeFailure failure = master.info().health().lasting().getFirst();
    assertEquals("w", failure.node());
    assertEquals(worker.info().prev().addresses().getFirst(), failure.address());
  }

  @Test
  void datagramsOfDialectLeapTellOfEachLostFrame() {
    open("udp", "leap", Map.of("loss_ppm", "10000", "delay_ms", "5"));
    int count = 1000;
    int got = 0;
    int told = 0;
    int quiet = 0;
    int sent = 0;
    while (quiet < 4) {
      if (sent < count && sent - got - told < WINDOW) {
        send(sent++);
        continue;
      }
      long result = endpoint.recvPrev(into, 0, BYTES, SECOND / 2);
      got += result > 0 ? 1 : 0;
      told += result == -Errno.ENODATA ? 1 : 0;
      quiet = result == -Errno.ETIME ? quiet + 1 : 0;
      if (result == -Errno.ETIME && sent < count) {
        send(sent++);
      }
    }
    long lostAtWorker = worker.info().prev().counters().lost();
    assertTrue(got > 800, "received " + got);
    assertTrue(told > 0 && lostAtWorker > 0);
    assertEquals(NodeState.RUNNING, master.info().state());
    assertTrue(
        count - got - told - lostAtWorker <= 2,
        "sent " + count + ", received " + got + ", told " + told + ", worker " + lostAtWorker);
  }
}
