package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.stage.PassStage;
import io.isle.fabric.shm.ShmTransport;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring of dialect isle whose master moves its next node to other paths under traffic. */
@Timeout(60)
class LiveSwitchTest {
  private static final int DIM = 256;
  private static final int BYTES = Packets.HEADER_BYTES + 4 * DIM;
  private static final long SECOND = 1_000_000_000;
  private static final int WINDOW = 32;

  private final Arena arena = Arena.ofShared();
  private final FabricAgent agent = new FabricAgent(() -> {});
  private final Map<String, RingTransport> transports =
      Map.of("tcp", new TcpTransport(), "shm", new ShmTransport());
  private final List<Integer> ports = FreePorts.tcp(3);
  private final String first = "tcp://127.0.0.1:" + ports.get(1);
  private final String second = "tcp://127.0.0.1:" + ports.get(2);
  private final String third = "shm://isle-switch-" + ProcessHandle.current().pid();
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final MemorySegment into = arena.allocate(BYTES, 8);
  private RingNode master;
  private RingNode worker;
  private RingEndpoint endpoint;
  private int sent;
  private int received;

  private NodeSettings settings(String role, String listen, String next) {
    Map<String, String> given = new HashMap<>();
    given.put("role", role);
    given.put("dim", "" + DIM);
    given.put("listen", listen);
    given.put("next", next);
    given.put("prev.dialect", "isle");
    given.put("next.dialect", "isle");
    return NodeSettings.of(given);
  }

  private NodeSettings toward(String next) {
    return settings("master", "tcp://127.0.0.1:" + ports.getFirst(), next);
  }

  private RingNode node(String name, NodeSettings settings) {
    RingNode node = new RingNode(name, settings, agent);
    node.use("pass", new PassStage());
    transports.forEach(node::attach);
    return node;
  }

  @BeforeEach
  void open() {
    master = node("m", toward(first));
    worker =
        node(
            "w",
            settings(
                "worker",
                String.join(",", first, second, third),
                "tcp://127.0.0.1:" + ports.getFirst()));
    endpoint = master.open(new TestCapability(), TestRing.NO_RECORD, () -> {});
  }

  @AfterEach
  void close() {
    master.close();
    worker.close();
    agent.close();
    arena.close();
  }

  /** Keeps packets on their way, and checks that each comes back once and in order. */
  private void traffic(int count) {
    for (int end = sent + count; received < end; ) {
      if (sent < end && sent - received < WINDOW) {
        Packets.header(packet, 0, sent, Packets.NEED_REPLY);
        assertEquals(BYTES, endpoint.sendNext(packet, 0, BYTES, 10 * SECOND));
        sent++;
      } else {
        assertEquals(BYTES, endpoint.recvPrev(into, 0, BYTES, 10 * SECOND));
        assertEquals(received, Packets.pos(into, 0));
        received++;
      }
    }
  }

  @Test
  void packetsMoveToAnotherAddressAndTransport() {
    traffic(500);
    long paths = master.info().next().counters().paths();
    for (String to : List.of(second, third, first, third)) {
      master.change(toward(to), transports::get);
      while (master.info().next().counters().paths() == paths) {
        traffic(10);
      }
      paths = master.info().next().counters().paths();
      traffic(500);
      assertEquals(List.of(to), master.info().next().addresses());
    }
    assertEquals(0, master.info().next().counters().lost());
    assertEquals(0, master.info().prev().counters().lost());
  }

  @Test
  void aPathThatDoesNotComeUpIsGivenUpWithAReason() {
    traffic(100);
    master.change(toward("tcp://127.0.0.1:1"), transports::get);
    while (!master.info().next().reason().contains("tcp://127.0.0.1:1 was not up within 5 s")) {
      traffic(10);
    }
    assertTrue(master.info().next().reason().contains("packets stay on " + first));
    traffic(500);
  }
}
