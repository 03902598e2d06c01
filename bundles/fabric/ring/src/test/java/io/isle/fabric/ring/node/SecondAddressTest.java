package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingRole;
import io.isle.fabric.ring.stage.MixStage;
import io.isle.fabric.tcp.TcpTransport;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stranger greets at the second address of a worker, whose neighbour uses the first one. */
@Timeout(60)
class SecondAddressTest {
  private static final int GREETINGS = 10;

  private final List<Integer> ports = FreePorts.tcp(3);
  private final Logged logged = new Logged();
  private final Logger logger = Logger.getLogger("io.isle.fabric.ring.health.NeighbourWatch");

  /** The log of the health of nodes. */
  private static final class Logged extends Handler {
    final Queue<String> lines = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord entry) {
      boolean ignored = lines.add(new SimpleFormatter().formatMessage(entry));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static String at(int port) {
    return "tcp://127.0.0.1:" + port;
  }

  private static void goesRound(TestRing ring, int position) {
    assertEquals(TestRing.BYTES, ring.send(position, 1, position, 10 * TestRing.SECOND));
    assertEquals(TestRing.BYTES, ring.receive(10 * TestRing.SECOND));
    TestPackets.assertMixed(ring.into, position, position, 1);
  }

  @Test
  void doesNotTakeThePlaceOfTheNeighbour() {
    List<String> ways = List.of(at(ports.get(0)), at(ports.get(1)));
    String other = at(ports.get(2));
    List<String> addresses = List.of(ways.get(0), ways.get(1) + "," + other);
    logger.addHandler(logged);
    try (TestRing ring =
        new TestRing(
            new TcpTransport(),
            Dialect.ISLE,
            addresses,
            ways,
            "mix",
            new MixStage(),
            RingRole.WORKER)) {
      goesRound(ring, 0);
      for (int i = 1; i <= GREETINGS; i++) {
        try (Stranger stranger = new Stranger(other)) {
          stranger.greet("x" + i);
          stranger.awaitEnd();
        }
        goesRound(ring, i);
        assertEquals(i, prev(ring).counters().strays());
      }
      assertEquals(1, prev(ring).counters().paths());
      assertEquals(0, prev(ring).counters().lost() + ring.node(0).info().next().counters().lost());
      assertTrue(prev(ring).notes().contains("neighbour n0 of ring ring"));
      while (logged.lines.isEmpty()) {
        Thread.onSpinWait();
      }
    } finally {
      logger.removeHandler(logged);
    }
    assertEquals(
        List.of(
            "ring node n1 refused node x1: node n0 is the previous node of n1, and its path is up;"
                + " set next of node x1 to another node, or stop node n0. Further refusals are only"
                + " counted, as strays"),
        List.copyOf(logged.lines));
  }

  private static LinkInfo prev(TestRing ring) {
    return ring.node(1).info().prev();
  }
}
