package io.isle.fabric.ring.node;

import static io.isle.fabric.ring.node.TestRing.BYTES;
import static io.isle.fabric.ring.node.TestRing.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.stage.MixStage;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.fabric.udp.UdpTransport;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.ControlWriter;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Strangers reach the ports of a ring: nothing is held for them, and the ring goes on. */
@Timeout(120)
class HostilePeersTest {
  private static final int REPLY = 1;
  private static final int CONNECTIONS = 10_000;
  private static final int BATCH = 50;
  private static final byte[] GARBAGE =
      "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private int position;

  private static List<String> addresses(String scheme) {
    List<Integer> ports = scheme.equals("tcp") ? FreePorts.tcp(2) : FreePorts.udp(2);
    return ports.stream().map(port -> scheme + "://127.0.0.1:" + port).toList();
  }

  private static TestRing ring(Dialect dialect, List<String> at) {
    RingTransport transport =
        at.getFirst().startsWith("tcp") ? new TcpTransport() : new UdpTransport();
    return new TestRing(transport, dialect, at, at, "mix", new MixStage(), RingRole.WORKER);
  }

  /** One packet goes round; nothing is lost. */
  private void goesRound(TestRing ring) {
    assertEquals(BYTES, ring.send(position, REPLY, position, 30 * SECOND));
    assertEquals(BYTES, ring.receive(30 * SECOND));
    TestPackets.assertMixed(ring.into, position, position, 1);
    position++;
  }

  private static void warm(TestRing ring) {
    long got;
    do {
      assertEquals(BYTES, ring.send(0, REPLY, 0, 10 * SECOND));
      got = ring.receive(SECOND / 4);
    } while (got == -Errno.ETIME || got == -Errno.ENODATA);
    while (ring.receive(SECOND / 20) != -Errno.ETIME) {
      // replies of the attempts before
    }
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static LinkCounters prev(TestRing ring, int node) {
    return ring.node(node).info().prev().counters();
  }

  /** A scan of ports: some say nothing, some send garbage, some a control message; some stay. */
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void tenThousandConnectionsHoldNothing(Dialect dialect) {
    List<String> at = addresses("tcp");
    byte[] control = new byte[BYTES];
    ControlWriter.resizeLayers(MemorySegment.ofArray(control), 0, BYTES, 3, 7, true);
    try (TestRing ring = ring(dialect, at)) {
      warm(ring);
      goesRound(ring);
      long before = Stranger.descriptors();
      Stranger[] staying = new Stranger[BATCH];
      for (int i = 0; i < CONNECTIONS; i += BATCH) {
        for (int j = 0; j < BATCH; j++) {
          staying[j] = new Stranger(at.get(1));
          if (j % 3 != 0) {
            staying[j].send(j % 3 == 1 ? GARBAGE : control);
          }
        }
        goesRound(ring);
        int count = i + BATCH;
        until(() -> prev(ring, 1).strays() == count);
        assertEquals(before + BATCH, Stranger.descriptors(), "those of the strangers themselves");
        for (Stranger one : staying) {
          one.close();
        }
      }
      assertEquals(before, Stranger.descriptors());
      assertEquals(1, prev(ring, 1).paths());
      assertEquals(0, prev(ring, 1).cut() + prev(ring, 1).malformed());
      assertEquals(Optional.of(new LayerRange(1, 2, false)), ring.node(1).info().range());
    }
  }

  /** What a stranger does that connects while the real neighbour is away. */
  enum First {
    SILENCE(stranger -> {}),
    GARBAGE_BYTES(stranger -> stranger.send(GARBAGE)),
    HALF_A_HEADER(stranger -> stranger.send((byte) 'I', (byte) 'S', (byte) 'L')),
    HUGE_LENGTH(stranger -> stranger.send(Stranger.frame(IsleFrame.HELLO, -16, new byte[0]))),
    GREETING_ONLY(stranger -> stranger.greet("x")),
    GREETING_OF_THE_NEIGHBOUR(stranger -> stranger.greet("n0")),
    EARLY_DATA(stranger -> stranger.send(Stranger.frame(IsleFrame.DATA, BYTES, new byte[BYTES])));

    final Consumer<Stranger> act;

    First(Consumer<Stranger> act) {
      this.act = act;
    }
  }

  /** The real neighbour goes, and the worker has noticed. */
  private static void leave(TestRing ring) {
    ring.node(0).detach("tcp");
    ring.node(0).dropParked("tcp");
    until(() -> ring.node(1).info().prev().state() != PortState.UP);
  }

  @ParameterizedTest
  @EnumSource
  void whoComesFirstInDialectIsleDoesNotKeepTheNeighbourOut(First first) {
    List<String> at = addresses("tcp");
    try (TestRing ring = ring(Dialect.ISLE, at)) {
      warm(ring);
      leave(ring);
      try (Stranger stranger = new Stranger(at.get(1))) {
        first.act.accept(stranger);
        ring.node(0).attach("tcp", ring.transport);
        for (int i = 0; i < 20; i++) {
          goesRound(ring);
        }
        assertEquals(0, prev(ring, 1).lost());
      }
    }
  }

  /** A stranger that was there before the neighbour had sent a byte, and sends no whole packet. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EARLY_DATA")
  void garbageBeforeTheFirstPacketOfDialectLeapIsCutOff(First first) {
    List<String> at = addresses("tcp");
    try (TestRing ring = ring(Dialect.LEAP, at)) {
      until(() -> ring.node(0).info().next().peer().isPresent());
      try (Stranger stranger = new Stranger(at.get(1))) {
        first.act.accept(stranger);
      }
      until(() -> isOver(ring.node(1).info().prev()));
      for (int i = 0; i < 20; i++) {
        goesRound(ring);
      }
    }
  }

  private static boolean isOver(LinkInfo link) {
    return link.counters().strays() > 0
        || link.counters().paths() > 0 && link.state() != PortState.UP;
  }

  /** Bytes one by one, which never become a greeting: a path that drips has two seconds. */
  @ParameterizedTest
  @EnumSource(names = {"HALF_A_HEADER", "GREETING_ONLY"})
  void aSlowDripEndsInTime(First first) {
    List<String> at = addresses("tcp");
    try (TestRing ring = ring(Dialect.ISLE, at)) {
      warm(ring);
      leave(ring);
      try (Stranger stranger = new Stranger(at.get(1))) {
        long begin = System.nanoTime();
        Thread drip = Thread.ofVirtual().start(() -> drip(stranger, first));
        ring.node(0).attach("tcp", ring.transport);
        goesRound(ring);
        assertTrue(System.nanoTime() - begin < 20 * SECOND);
        stranger.awaitEnd();
        drip.interrupt();
      }
    }
  }

  private static void drip(Stranger stranger, First first) {
    byte[] frame =
        first == First.GREETING_ONLY
            ? Stranger.frame(IsleFrame.HELLO, Hello.BYTES, Stranger.hello("x"))
            : Stranger.frame(IsleFrame.DATA, BYTES, new byte[BYTES]);
    for (int i = 0; i < frame.length && !Thread.currentThread().isInterrupted(); i++) {
      stranger.send(frame[i]);
      LockSupport.parkNanos(SECOND / 20);
    }
  }

  /** What strangers send to the port of a node by datagrams. */
  enum Flood {
    NOTHING(new byte[0]),
    ANY(random(1400)),
    HUGE_COUNT(chunk(ChunkHeader.LEAP, 65_534, 65_535)),
    CHUNK(chunk(ChunkHeader.LEAP, 0, 1)),
    ISLE_CHUNK(chunk(ChunkHeader.ISLE, 0, 1)),
    CONTROL(control());

    final byte[] datagram;

    Flood(byte[] datagram) {
      this.datagram = datagram;
    }

    private static byte[] random(int bytes) {
      byte[] any = new byte[bytes];
      new Random(1).nextBytes(any);
      return any;
    }

    private static byte[] chunk(int magic, int chunk, int total) {
      byte[] bytes = new byte[ChunkHeader.BYTES + BYTES];
      ChunkHeader.write(
          MemorySegment.ofArray(bytes), 0, magic, ChunkHeader.FIRST_SEQUENCE, chunk, total, 0);
      return bytes;
    }

    /** A resize that a worker of the ring would apply. */
    private static byte[] control() {
      byte[] bytes = chunk(ChunkHeader.LEAP, 0, 1);
      ControlWriter.resizeLayers(
          MemorySegment.ofArray(bytes), ChunkHeader.BYTES, BYTES, 3, 7, true);
      return bytes;
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void floodsOfDatagramsChangeNothing(Dialect dialect) {
    List<String> at = addresses("udp");
    try (TestRing ring = ring(dialect, at)) {
      warm(ring);
      position = 1;
      long before = Stranger.descriptors();
      long lost = prev(ring, 1).lost() + prev(ring, 0).lost();
      long sent = 0;
      for (Flood flood : Flood.values()) {
        for (int round = 0; round < 20; round++) {
          Stranger.flood(at.get(1), flood.datagram, 100);
          goesRound(ring);
          sent += 100;
          long all = sent;
          until(() -> prev(ring, 1).foreign() == all);
        }
      }
      assertEquals(before, Stranger.descriptors());
      assertEquals(lost, prev(ring, 1).lost() + prev(ring, 0).lost());
      assertEquals(Optional.of(new LayerRange(1, 2, false)), ring.node(1).info().range());
    }
  }

  /** A control message that a stranger has seen, and sends again. */
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void aReplayedResizeIsNotApplied(Dialect dialect) {
    List<String> at = addresses("udp");
    try (TestRing ring = ring(dialect, at)) {
      warm(ring);
      ring.master.resize(List.of(2, 5));
      ring.master.resize(List.of(5, 9));
      byte[] old = new byte[ChunkHeader.BYTES + BYTES];
      MemorySegment datagram = MemorySegment.ofArray(old);
      for (int sequence = 0; sequence < 64; sequence++) {
        ChunkHeader.write(
            datagram, 0, ChunkHeader.LEAP, ChunkHeader.FIRST_SEQUENCE + sequence, 0, 1, 0);
        ControlWriter.resizeLayers(datagram, ChunkHeader.BYTES, BYTES, 2, 5, false);
        Stranger.flood(at.get(1), old, 1);
      }
      until(() -> prev(ring, 1).foreign() == 64);
      assertEquals(BYTES, ring.send(0, REPLY, 3, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 0, 3, 5, 6, 7, 8);
      assertEquals(Optional.of(new LayerRange(5, 9, false)), ring.node(1).info().range());
    }
  }
}
