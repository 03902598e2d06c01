package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.stage.MixStage;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A ring of nodes of Isle and of programs in C. Place 0 is the master, the last place a tail; each
 * worker begins with {@link #LAYERS_EACH} layers.
 */
final class MixedRing implements AutoCloseable {
  static final int LAYERS_EACH = 2;
  private static final long SECOND = 1_000_000_000;
  private static final ValueLayout.OfInt LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Arena arena = Arena.ofShared();
  private final FabricAgent agent = new FabricAgent(() -> {});
  private final RingTransport transport;
  private final String scheme;
  private final List<Integer> ports;
  private final List<Boolean> foreign;
  private final int dim;
  private final int bytes;
  private final RingNode[] nodes;
  private final ForeignPeer[] peers;
  private final MemorySegment packet;
  private final MemorySegment reply;
  private RingEndpoint endpoint;
  private int firstLayer;
  private int lastLayer;

  /**
   * @param foreign whether each place is a program in C
   */
  MixedRing(
      RingTransport transport, String scheme, List<Integer> ports, int dim, List<Boolean> foreign) {
    this.transport = transport;
    this.scheme = scheme;
    this.ports = ports;
    this.dim = dim;
    this.foreign = foreign;
    bytes = Packets.HEADER_BYTES + 4 * dim;
    nodes = new RingNode[foreign.size()];
    peers = new ForeignPeer[foreign.size()];
    packet = arena.allocate(bytes, 8);
    reply = arena.allocate(bytes, 8);
    lastLayer = layers();
  }

  int layers() {
    return LAYERS_EACH * (foreign.size() - 1);
  }

  private RingRole role(int place) {
    return place == 0
        ? RingRole.MASTER
        : place == foreign.size() - 1 ? RingRole.TAIL : RingRole.WORKER;
  }

  void startAll() {
    for (int place = 0; place < foreign.size(); place++) {
      start(place);
    }
  }

  void start(int place) {
    int from = place == 0 ? 0 : LAYERS_EACH * (place - 1);
    int to = place == 0 ? layers() : LAYERS_EACH * place;
    int next = (place + 1) % foreign.size();
    if (foreign.get(place)) {
      peers[place] =
          new ForeignPeer(
              role(place), scheme, ports.get(place), ports.get(next), dim, layers(), from, to);
      return;
    }
    Map<String, String> given =
        new HashMap<>(
            Map.of(
                "role",
                role(place).text(),
                "dim",
                Integer.toString(dim),
                "layers",
                Integer.toString(layers()),
                "listen",
                scheme + "://127.0.0.1:" + ports.get(place),
                "next",
                scheme + "://127.0.0.1:" + ports.get(next)));
    if (place > 0) {
      given.putAll(
          Map.of("stage", "mix", "start", Integer.toString(from), "end", Integer.toString(to)));
    }
    RingNode node = new RingNode("n" + place, NodeSettings.of(given), agent);
    node.use("mix", new MixStage());
    node.attach(scheme, transport);
    nodes[place] = node;
    if (place == 0) {
      endpoint = node.open(new TestCapability(), TestRing.NO_RECORD, () -> {});
    }
  }

  /** Exchanges the transport of all nodes of Isle, as an update of its bundle does. */
  void update(RingTransport to) {
    for (RingNode node : nodes) {
      if (node != null) {
        node.detach(scheme);
      }
    }
    for (RingNode node : nodes) {
      if (node != null) {
        node.attach(scheme, to);
      }
    }
  }

  /** The first packet there and back; packets before may go to nobody. */
  void warm() {
    if (foreign.getFirst()) {
      peers[0].command("warm", "warm");
      return;
    }
    long got;
    do {
      assertContent();
      assertEquals(bytes, send(0, Packets.NEED_REPLY));
      got = endpoint.recvPrev(reply, 0, bytes, SECOND / 4);
    } while (got == -Errno.ETIME || got == -Errno.ENODATA);
    assertEquals(bytes, got);
    while (endpoint.recvPrev(reply, 0, bytes, SECOND / 10) != -Errno.ETIME) {
      // replies of the attempts before
    }
  }

  private long send(int position, int flags) {
    Packets.header(packet, 0, position, flags);
    for (int i = 0; i < dim; i++) {
      packet.set(LE, Packets.HEADER_BYTES + 4L * i, position * 31 + i);
    }
    return endpoint.sendNext(packet, 0, bytes, 10 * SECOND);
  }

  /** Sends packets one after the other; every third one without a reply. Checks each reply. */
  void drive(int count) {
    if (foreign.getFirst()) {
      peers[0].command("drive " + count, "driven " + count);
      return;
    }
    for (int position = 0; position < count; position++) {
      int flags = position % 3 == 1 ? Packets.NO_REPLY : Packets.NEED_REPLY;
      assertEquals(bytes, send(position, flags));
      if (flags == Packets.NEED_REPLY) {
        assertEquals(bytes, endpoint.recvPrev(reply, 0, bytes, 10 * SECOND), this::complaints);
        assertMixed(position);
      }
    }
  }

  /** Asserts that no packet comes to the master that it did not ask for. */
  void assertQuiet() {
    if (foreign.getFirst()) {
      peers[0].command("quiet", "quiet");
    } else {
      assertEquals(-Errno.ETIME, endpoint.recvPrev(reply, 0, bytes, SECOND / 20));
    }
    assertContent();
  }

  private void assertMixed(int position) {
    assertEquals(position, Packets.pos(reply, 0));
    assertEquals(Packets.NEED_REPLY, Packets.flags(reply, 0));
    for (int i = 0; i < dim; i++) {
      int word = position * 31 + i;
      for (int layer = firstLayer; layer < lastLayer; layer++) {
        word = Integer.rotateLeft(word ^ (int) (0x9E3779B9L * (layer + 1)), layer % 31 + 1);
      }
      assertEquals(word, reply.get(LE, Packets.HEADER_BYTES + 4L * i), "number " + i);
    }
  }

  void resize(List<Integer> boundaries) {
    if (foreign.getFirst()) {
      StringBuilder command = new StringBuilder("resize");
      boundaries.forEach(one -> command.append(' ').append(one));
      peers[0].command(command.toString(), "resized");
      return;
    }
    var ignored = endpoint.resize(boundaries);
    firstLayer = boundaries.getFirst();
    lastLayer = boundaries.size() == 1 ? layers() : boundaries.getLast();
  }

  void assertContent() {
    for (ForeignPeer peer : peers) {
      if (peer != null) {
        peer.assertContent();
      }
    }
  }

  private String complaints() {
    assertContent();
    return "no program in C complains";
  }

  @Override
  public void close() {
    try {
      assertContent();
    } finally {
      for (ForeignPeer peer : peers) {
        if (peer != null) {
          peer.close();
        }
      }
      for (RingNode node : nodes) {
        if (node != null) {
          node.close();
        }
      }
      agent.close();
      arena.close();
    }
  }
}
