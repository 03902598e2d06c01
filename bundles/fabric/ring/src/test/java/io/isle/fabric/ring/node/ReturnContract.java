package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingHealth;
import io.isle.api.fabric.RingMember;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import io.isle.fabric.ring.stage.MixStage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that leave a ring of real sockets and come back, by any transport. */
@Timeout(60)
abstract class ReturnContract {
  private static final int NODES = 4;
  private static final long STALL_MS = 500;
  private static final int BYTES = TestRing.BYTES;
  private static final long SECOND = TestRing.SECOND;

  private final RingNode[] nodes = new RingNode[NODES];
  private final Arena arena = Arena.ofShared();
  private final FabricAgent agent = new FabricAgent(this::changed);

  /** Failed nodes that a listener has heard of. */
  private final Set<String> heard = ConcurrentHashMap.newKeySet();

  /** Tellers and failed nodes. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private volatile CountDownLatch hold = new CountDownLatch(0);
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final MemorySegment into = arena.allocate(BYTES, 8);
  private List<String> addresses;
  private RingTransport transport;
  private RingEndpoint endpoint;
  private int position;

  /** A stage that the test holds up. */
  private final class Held implements RingStage {
    @Override
    public Instance open(int payloadBytes) {
      Instance mix = new MixStage().open(payloadBytes);
      return new Instance() {
        @Override
        public void process(int at, MemorySegment payload) {
          try {
            hold.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          mix.process(at, payload);
        }

        @Override
        public void resize(LayerRange layers) {
          mix.resize(layers);
        }

        @Override
        public void reset() {
          mix.reset();
        }

        @Override
        public void close() {
          mix.close();
        }
      };
    }
  }

  /** The transport under test. */
  abstract RingTransport transport();

  /** Addresses of this machine that are free. */
  abstract List<String> addresses(int count);

  @BeforeEach
  void open() {
    addresses = addresses(NODES);
    transport = transport();
    for (int i = 0; i < NODES; i++) {
      start(i);
    }
    await(() -> master().members().size() == NODES);
  }

  @AfterEach
  void close() {
    for (RingNode node : nodes) {
      node.close();
    }
    agent.close();
    arena.close();
  }

  /** Starts a node with a layer of its settings each. */
  private void start(int i) {
    Map<String, String> given = new HashMap<>();
    given.put("role", i == 0 ? "master" : i == NODES - 1 ? "tail" : "worker");
    given.put("dim", Integer.toString(TestRing.DIM));
    given.put("layers", Integer.toString(TestRing.LAYERS));
    given.put("listen", addresses.get(i));
    given.put("next", addresses.get((i + 1) % NODES));
    given.put("prev.dialect", "isle");
    given.put("next.dialect", "isle");
    given.put("stall_ms", Long.toString(STALL_MS));
    if (i > 0) {
      given.put("stage", "mix");
      given.put("start", Integer.toString(i));
      given.put("end", Integer.toString(i + 1));
    }
    RingNode node =
        new RingNode(
            "n" + i,
            NodeSettings.of(given),
            agent,
            (ring, teller, change) -> told.add(teller + " " + change.failure().node()));
    node.use("mix", i == 2 ? new Held() : new MixStage());
    node.attach(PathAddress.of(addresses.getFirst()).transport(), transport);
    nodes[i] = node;
    if (i == 0) {
      endpoint = node.open(new TestCapability(), TestRing.NO_RECORD, () -> {});
      endpoint.listen(
          info -> info.health().failures().forEach(failure -> heard.add(failure.node())));
    }
  }

  private void changed() {
    for (RingNode node : nodes) {
      if (node != null) {
        node.notifyListeners();
      }
    }
  }

  private RingHealth master() {
    return nodes[0].info().health();
  }

  private static void await(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private Optional<NodeFailure> failure(String node) {
    return master().lasting().stream().filter(one -> one.node().equals(node)).findFirst();
  }

  private Optional<LayerRange> range(int node) {
    return nodes[node].info().range();
  }

  private void send() {
    TestPackets.write(packet, position, 1, position);
    assertEquals(BYTES, endpoint.sendNext(packet, 0, BYTES, 10 * SECOND));
    position++;
  }

  /** A packet there and back, through layers 3 to 11. */
  private void roundTrip() {
    send();
    long got = endpoint.recvPrev(into, 0, BYTES, 10 * SECOND);
    assertEquals(BYTES, got);
    int at = position - 1;
    TestPackets.assertMixed(into, at, at, IntStream.range(3, TestRing.LAYERS).toArray());
  }

  private void leave(int node) {
    long begin = System.nanoTime();
    nodes[node].close();
    await(() -> failure("n" + node).isPresent());
    assertTrue(System.nanoTime() - begin < 2 * SECOND, "named within 2 s");
    await(() -> failure("n" + node).orElseThrow().reporters().size() == 2);
    assertEquals(FailureCause.LEFT, failure("n" + node).orElseThrow().cause());
    assertEquals(addresses.get(node), failure("n" + node).orElseThrow().address());
  }

  @Test
  void nodesComeBackWithTheirLayersAndTheMasterStartsAlone() {
    List<LayerRange> given = endpoint.resize(List.of(3, 6, 9, 12));
    roundTrip();
    leave(2);
    await(() -> heard.contains("n2"));
    await(() -> told.containsAll(Set.of("n0 n2", "n1 n2", "n3 n2")));
    start(2);
    await(() -> failure("n2").isEmpty());
    await(() -> range(2).equals(Optional.of(given.get(1))));
    for (int i = 0; i < 20; i++) {
      roundTrip();
    }
    assertEquals(1, master().failed(), () -> master().toString());
    await(() -> master().rejoins() == 1);

    nodes[0].close();
    start(0);
    await(() -> master().members().size() == NODES);
    assertEquals(
        List.of(given.get(0), given.get(1), given.get(2)),
        master().members().stream().map(RingMember::range).flatMap(Optional::stream).toList());
    roundTrip();
    await(() -> master().rolls() >= 2);
    leave(1);
    start(1);
    await(() -> range(1).equals(Optional.of(given.get(0))));
    roundTrip();
  }

  @Test
  void aStuckNodeIsNamedAndGoesOn() {
    hold = new CountDownLatch(1);
    long begin = System.nanoTime();
    send();
    await(() -> failure("n2").isPresent());
    long ms = (System.nanoTime() - begin) / 1_000_000;
    NodeFailure stuck = failure("n2").orElseThrow();
    hold.countDown();
    assertTrue(ms >= STALL_MS && ms <= STALL_MS + 2000, ms + " ms");
    assertEquals(FailureCause.STUCK, stuck.cause());
    assertEquals(1, stuck.frame());
    assertEquals(BYTES, endpoint.recvPrev(into, 0, BYTES, 10 * SECOND));
    await(() -> failure("n2").isEmpty());
  }
}
