package io.isle.fabric.ring.node;

import static io.isle.fabric.ring.node.TestRing.BYTES;
import static io.isle.fabric.ring.node.TestRing.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.stage.MixStage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The behaviour of rings over every transport, in each dialect. */
@Timeout(120)
abstract class TransportContract {
  static final int REPLY = 1;

  /** The transport under test. */
  abstract RingTransport transport();

  /** Addresses of this machine that are free. */
  abstract List<String> addresses(int count);

  /** The dialect of all links. */
  Dialect dialect() {
    return Dialect.LEAP;
  }

  /** Addresses by which the previous nodes reach those that listen. */
  List<String> ways(List<String> addresses) {
    return addresses;
  }

  final TestRing ring(RingRole... others) {
    List<String> listen = addresses(others.length + 1);
    return new TestRing(
        transport(), dialect(), listen, ways(listen), "mix", new MixStage(), others);
  }

  private static void await(TestRing ring, int nodes) {
    for (int i = 0; i < nodes; i++) {
      while (ring.node(i).info().state() != NodeState.RUNNING) {
        Thread.onSpinWait();
      }
    }
  }

  /** One packet there and back; datagrams before the first may go to nobody. */
  static void warm(TestRing ring) {
    long got;
    do {
      assertEquals(BYTES, ring.send(0, REPLY, 0, 10 * SECOND));
      got = ring.receive(SECOND / 4);
    } while (got == -Errno.ETIME || got == -Errno.ENODATA);
    assertEquals(BYTES, got);
    while (ring.receive(SECOND / 20) != -Errno.ETIME) {
      // late replies of the attempts before
    }
  }

  @Test
  void packetsGoRound() {
    try (TestRing ring = ring(RingRole.WORKER, RingRole.TAIL)) {
      warm(ring);
      await(ring, 3);
      for (int pos = 0; pos < 2000; pos++) {
        assertEquals(BYTES, ring.send(pos, REPLY, pos, SECOND));
        assertEquals(BYTES, ring.receive(5 * SECOND));
        TestPackets.assertMixed(ring.into, pos, pos, 1, 2);
      }
    }
  }

  @Test
  void manyPacketsAreUnderWay() {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      for (int round = 0; round < 20; round++) {
        for (int pos = 0; pos < 64; pos++) {
          assertEquals(BYTES, ring.send(pos, REPLY, round + pos, SECOND));
        }
        for (int pos = 0; pos < 64; pos++) {
          assertEquals(BYTES, ring.receive(5 * SECOND));
          TestPackets.assertMixed(ring.into, pos, round + pos, 1);
        }
      }
    }
  }

  @Test
  void packetsAreWrittenInPlace() {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      for (int pos = 0; pos < 300; pos++) {
        assertEquals(BYTES, ring.master.claimNext(SECOND));
        TestPackets.write(ring.master.claimed(), pos, REPLY, pos);
        if (pos % 10 == 5) {
          ring.master.abandonNext();
          assertEquals(BYTES, ring.send(pos, REPLY, pos, SECOND));
        } else {
          assertEquals(BYTES, ring.master.commitNext(SECOND));
        }
        assertEquals(BYTES, ring.receive(5 * SECOND));
        TestPackets.assertMixed(ring.into, pos, pos, 1);
      }
      assertEquals(300, ring.node(0).info().position());
    }
  }

  @Test
  void aClosedNodeCanBeLookedAt() {
    TestRing ring = ring(RingRole.WORKER);
    try (ring) {
      warm(ring);
    }
    assertEquals(NodeState.CLOSED, ring.node(0).info().state());
  }

  @Test
  void aResizeGoesRound() {
    try (TestRing ring = ring(RingRole.WORKER, RingRole.WORKER)) {
      warm(ring);
      ring.master.resize(List.of(3, 4, 6));
      assertEquals(BYTES, ring.send(0, REPLY, 5, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 0, 5, 3, 4, 5);
    }
  }

  @Test
  void aTransportIsReplacedUnderTrafficAndNothingIsLost() {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      String name = ring.name();
      for (int pos = 0; pos < 300; pos++) {
        if (pos % 50 == 25) {
          RingTransport next = transport();
          for (int node = 0; node < 2; node++) {
            ring.node(node).detach(name);
          }
          for (int node = 0; node < 2; node++) {
            ring.node(node).attach(name, next);
          }
        }
        assertEquals(BYTES, ring.send(pos, REPLY, pos, 5 * SECOND));
        assertEquals(BYTES, ring.receive(5 * SECOND));
        TestPackets.assertMixed(ring.into, pos, pos, 1);
      }
      assertEquals(0, ring.node(0).info().prev().counters().cut());
    }
  }

  @Test
  void anIdleRingStaysUp() {
    try (TestRing ring = ring(RingRole.RELAY)) {
      warm(ring);
      long paths = ring.node(0).info().prev().counters().paths();
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < SECOND) {
        assertEquals(-Errno.ETIME, ring.receive(SECOND / 4));
      }
      assertEquals(BYTES, ring.send(1, REPLY, 1, SECOND));
      assertEquals(BYTES, ring.receive(SECOND));
      assertEquals(paths, ring.node(0).info().prev().counters().paths());
    }
  }
}
