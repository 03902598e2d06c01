package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.stage.PassStage;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.fabric.udp.UdpTransport;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
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
  private static final int WINDOW = 60;
  private static final Map<String, String> HARM =
      Map.of(
          "loss_ppm", "10000",
          "duplicate_ppm", "10000",
          "reorder_ppm", "50000",
          "delay_ms", "50",
          "jitter_ms", "2");

  private final Arena arena = Arena.ofShared();
  private final FabricAgent agent = new FabricAgent(() -> {});
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final MemorySegment into = arena.allocate(BYTES, 8);
  private Relays relays;
  private RingNode master;
  private RingNode worker;
  private RingEndpoint endpoint;

  private void open(String scheme, String dialect, Map<String, String> faults) {
    List<String> at =
        (scheme.equals("tcp") ? FreePorts.tcp(4) : FreePorts.udp(4))
            .stream().map(port -> scheme + "://127.0.0.1:" + port).toList();
    relays = new Relays(faults);
    RingTransport transport = scheme.equals("tcp") ? new TcpTransport() : new UdpTransport();
    master = node("m", "master", at.get(0), at.get(3), dialect, transport);
    worker = node("w", "worker", at.get(1), at.get(2), dialect, transport);
    // a relay in front of a node that does not listen yet resets connections: leap loses their
    // packets
    await(() -> listens(master) && listens(worker));
    relays.begin(at.get(2), at.get(0));
    relays.begin(at.get(3), at.get(1));
    endpoint = master.open(new TestCapability(), TestRing.NO_RECORD, () -> {});
  }

  private static boolean listens(RingNode node) {
    return node.info().prev().state() == PortState.LISTENING;
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
                    "frame_timeout_ms", "100")),
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
    relays.close();
    arena.close();
  }

  private void send(int position) {
    Packets.header(packet, 0, position, Packets.NEED_REPLY);
    packet.asSlice(Packets.HEADER_BYTES).fill((byte) position);
    assertEquals(BYTES, endpoint.sendNext(packet, 0, BYTES, 20 * SECOND));
  }

  private void assertReply(int position) {
    assertEquals(position, Packets.pos(into, 0));
    assertEquals(-1, filled(position).mismatch(into.asSlice(Packets.HEADER_BYTES)));
  }

  private MemorySegment filled(int position) {
    return packet.asSlice(Packets.HEADER_BYTES).fill((byte) position);
  }

  private void exact(int count) {
    int sent = 0;
    int received = 0;
    while (received < count) {
      if (sent < count && sent - received < WINDOW) {
        send(sent++);
      } else {
        assertEquals(BYTES, endpoint.recvPrev(into, 0, BYTES, 20 * SECOND));
        assertReply(received++);
      }
    }
    assertEquals(0, worker.info().prev().counters().lost());
    assertEquals(0, master.info().prev().counters().lost());
  }

  @Test
  void datagramsOfDialectIsleLoseNothing() {
    open("udp", "isle", HARM);
    exact(1000);
    ImpairmentInfo relay = relays.relay(1);
    assertTrue(relay.lost() > 0 && relay.duplicated() > 0 && relay.reordered() > 0);
    assertTrue(master.info().next().counters().repaired() > 0);
  }

  @Test
  void streamsOfDialectIsleLoseNothing() {
    open("tcp", "isle", Map.of("delay_ms", "50", "jitter_ms", "2", "cut_every_bytes", "1m"));
    exact(1000);
    assertTrue(relays.relay(1).cuts() > 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp"})
  void pathsThatPassNothingAreNamedAndComeBack(String scheme) {
    open(scheme, "isle", Map.of());
    exact(100);
    cut("both", 0);
    named(FailureCause.CUT);
    cut("none", 0);
    await(() -> master.info().health().lasting().isEmpty());
    exact(100);
    cut("both", 0, 1);
    named(FailureCause.SILENT);
    cut("none", 0, 1);
    await(() -> master.info().health().lasting().isEmpty());
    exact(100);
    assertEquals(2, master.info().health().failed());
  }

  private void cut(String blackHole, int... indices) {
    for (int index : indices) {
      relays.set(index, Map.of("black_hole", blackHole));
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
  void streamsOfDialectLeapLoseNothing() {
    open("tcp", "leap", Map.of("delay_ms", "50", "jitter_ms", "2"));
    exact(500);
    assertEquals(0, master.info().prev().counters().cut());
  }

  /** Each packet comes back, or is a loss that the worker or the master was told of. */
  @Test
  void datagramsOfDialectLeapTellOfEachLostFrame() {
    open("udp", "leap", HARM);
    int count = 500;
    int sent = 0;
    int got = 0;
    int told = 0;
    int last = -1;
    // behind the last one, packets follow until one comes back: it shows the losses before it
    while (sent < count || last < sent - 1) {
      if (sent < count && sent - 1 - last < WINDOW) {
        send(sent++);
        continue;
      }
      long result = endpoint.recvPrev(into, 0, BYTES, SECOND / 2);
      if (result == BYTES) {
        int position = Packets.pos(into, 0);
        assertTrue(position > last, () -> "position " + position);
        assertReply(position);
        last = position;
        got++;
      } else if (result == -Errno.ENODATA) {
        RingLoss loss = endpoint.lastLoss().orElseThrow();
        assertTrue(loss.chunks() < Math.max(1, loss.total()), loss::toString);
        told++;
      } else {
        assertEquals(-Errno.ETIME, result);
        send(sent++);
      }
    }
    long lostAtWorker = worker.info().prev().counters().lost();
    assertTrue(told > 0 && lostAtWorker > 0);
    assertEquals(sent, got + told + lostAtWorker, "told " + told + ", worker " + lostAtWorker);
    assertTrue(got > count * 8 / 10, "received " + got);
    assertEquals(told, master.info().prev().counters().lost());
    assertEquals(NodeState.RUNNING, master.info().state());
  }
}
