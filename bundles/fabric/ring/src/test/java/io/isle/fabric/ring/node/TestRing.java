package io.isle.fabric.ring.node;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.api.tenancy.Capability;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.link.PipeTransport;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import io.isle.fabric.ring.stage.MixStage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A ring of nodes within the process: node 0 is the master, the others as given. */
final class TestRing implements AutoCloseable {
  static final int DIM = 64;
  static final int BYTES = 8 + 4 * DIM;
  static final int LAYERS = 12;
  static final long SECOND = 1_000_000_000;
  static final ControlRecord NO_RECORD = (boundaries, work) -> work.get();

  final RingTransport transport;
  final Arena arena = Arena.ofShared();
  final MemorySegment packet = arena.allocate(BYTES, 8);
  final MemorySegment into = arena.allocate(BYTES, 8);
  final TestCapability capability = new TestCapability();
  private final FabricAgent agent = new FabricAgent(() -> {});
  private final List<RingNode> nodes = new ArrayList<>();
  final RingEndpoint master;

  /** A ring by streams within the process. */
  TestRing(RingRole... others) {
    this("mix", new MixStage(), others);
  }

  TestRing(String stageName, RingStage stage, RingRole... others) {
    this(
        new PipeTransport(),
        IntStream.rangeClosed(0, others.length).mapToObj(i -> "pipe://link" + i).toList(),
        stageName,
        stage,
        others);
  }

  /**
   * A ring by any transport.
   *
   * @param addresses where each node listens
   */
  TestRing(
      RingTransport transport,
      List<String> addresses,
      String stageName,
      RingStage stage,
      RingRole... others) {
    this(transport, Dialect.LEAP, addresses, addresses, stageName, stage, others);
  }

  /**
   * A ring of any dialect.
   *
   * @param addresses where each node listens
   * @param ways where the previous node of each sends to
   */
  TestRing(
      RingTransport transport,
      Dialect dialect,
      List<String> addresses,
      List<String> ways,
      String stageName,
      RingStage stage,
      RingRole... others) {
    this.transport = transport;
    int count = others.length + 1;
    for (int i = 0; i < count; i++) {
      RingRole role = i == 0 ? RingRole.MASTER : others[i - 1];
      RingNode node =
          new RingNode("n" + i, settings(i, addresses, ways, role, stageName, dialect), agent);
      node.use(stageName, stage);
      node.attach(PathAddress.of(addresses.get(i)).transport(), transport);
      nodes.add(node);
    }
    master = nodes.getFirst().open(capability, NO_RECORD, () -> {});
  }

  private static NodeSettings settings(
      int i,
      List<String> addresses,
      List<String> ways,
      RingRole role,
      String stage,
      Dialect dialect) {
    Map<String, String> given =
        new HashMap<>(
            Map.of(
                "role",
                role.text(),
                "dim",
                Integer.toString(DIM),
                "layers",
                Integer.toString(LAYERS),
                "stage",
                stage,
                "listen",
                addresses.get(i),
                "next",
                ways.get((i + 1) % ways.size())));
    given.put("prev.dialect", dialect.text());
    given.put("next.dialect", dialect.text());
    if (role == RingRole.WORKER || role == RingRole.TAIL) {
      given.put("start", Integer.toString(i));
      given.put("end", Integer.toString(i + 1));
    }
    return NodeSettings.of(given);
  }

  RingNode node(int index) {
    return nodes.get(index);
  }

  /** Name of the transport. */
  String name() {
    return node(0).settings().next().transport();
  }

  Capability capability() {
    return capability;
  }

  long send(int position, int flags, int seed, long timeoutNs) {
    TestPackets.write(packet, position, flags, seed);
    return master.sendNext(packet, 0, BYTES, timeoutNs);
  }

  long receive(long timeoutNs) {
    return master.recvPrev(into, 0, BYTES, timeoutNs);
  }

  @Override
  public void close() {
    nodes.forEach(RingNode::close);
    agent.close();
    arena.close();
  }
}
