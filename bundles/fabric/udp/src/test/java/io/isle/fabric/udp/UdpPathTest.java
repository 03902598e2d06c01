package io.isle.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagrams between ports, and between a port and another program. */
@Timeout(60)
class UdpPathTest {
  private static final int SEGMENT = UdpSettings.DATAGRAM;

  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  /** Both directions of a node leave from and arrive at one port. */
  @Test
  void aNodeHasOneSocket() {
    DatagramSocket after = driver.peer();
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next =
        driver.open(
            driver.spec("a", RingSide.NEXT, "127.0.0.1:" + after.getLocalPort(), "127.0.0.1:0"));
    driver.untilUp(next);
    assertEquals(1, next.paths());
    assertEquals(PortState.LISTENING, prev.state());
    int port = Driver.number(prev);
    assertEquals(3, driver.send(next, "abc"));
    assertEquals(port + " abc", Driver.receive(after));

    DatagramSocket before = driver.peer();
    Driver.send(before, port, "def");
    assertTrue(driver.isQuiet(next), "what arrives is the previous node's");
    assertEquals("def", driver.receive(prev));
    assertEquals(PortState.UP, prev.state());
    assertEquals("127.0.0.1:" + before.getLocalPort(), prev.peer().orElseThrow());

    prev.close();
    assertEquals(3, driver.send(next, "ghi"), "the other side goes on");
    assertEquals(port + " ghi", Driver.receive(after));
    next.close();
    driver.peer("127.0.0.1", port);
  }

  @Test
  void nodesOfOneProcessHaveSocketsOfTheirOwn() {
    DatagramPort a = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort b = driver.open(driver.listens("b", "127.0.0.1:0"));
    assertFalse(Driver.number(a) == Driver.number(b));
  }

  @ParameterizedTest
  @CsvSource({
    "true,true,1401",
    "true,false,1401",
    "false,true,1401",
    "false,false,1401",
    "true,true,1400",
    "false,true,1400"
  })
  void batchesArriveExactly(boolean cuts, boolean joins, int packet) {
    driver.packetBytes = packet;
    if (!cuts) {
      driver.calls.refused.put(SocketOption.UDP_SEGMENT, -SocketErrors.ENOPROTOOPT);
    }
    if (!joins) {
      driver.calls.refused.put(SocketOption.UDP_GRO, -SocketErrors.ENOPROTOOPT);
    }
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next = driver.open(driver.sends("b", Driver.number(prev)));
    driver.untilUp(next);
    SplittableRandom random = new SplittableRandom(5);
    for (long i = 0; i < driver.out.byteSize(); i += 8) {
      driver.out.set(ValueLayout.JAVA_LONG, i, random.nextLong());
    }
    int most = next.maxBatch();
    assertEquals(46 * SEGMENT, most);
    for (int bytes : new int[] {1, SEGMENT, SEGMENT + 1, 5 * SEGMENT, 45 * SEGMENT + 9, most}) {
      assertEquals(bytes, next.send(driver.out, 24, bytes, SEGMENT));
      long at = 0;
      while (at < bytes) {
        long start = at;
        long[] got = {0};
        driver.until("more", () -> (got[0] = prev.receive(driver.in, start, Driver.ROOM)) > 0);
        assertTrue(got[0] <= SEGMENT || prev.segment() == SEGMENT, "" + prev.segment());
        prev.accept(driver.now());
        at += got[0];
      }
      assertEquals(bytes, at);
      assertEquals(-1, MemorySegment.mismatch(driver.out, 24, 24 + at, driver.in, 0, at));
    }
    assertEquals(cuts, driver.calls.cutSends > 0);
    assertEquals(!cuts, driver.calls.batches > 0);
    assertEquals(!cuts, next.notes().toString().contains("UDP_SEGMENT"));
    assertEquals(!joins, prev.notes().toString().contains("UDP_GRO"));
    assertEquals(packet <= 1400, driver.calls.singleReads > 0);
  }

  @Test
  void aBatchIsBounded() {
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next = driver.open(driver.sends("b", Driver.number(prev)));
    driver.untilUp(next);
    assertEquals(46 * SEGMENT, next.send(driver.out, 0, 100 * SEGMENT, SEGMENT));
    assertEquals(64 * 10, next.send(driver.out, 0, 10_000, 10));
    assertEquals(-Errno.EMSGSIZE, next.send(driver.out, 0, 2000, SEGMENT + 1));
    assertEquals(-Errno.EMSGSIZE, next.send(driver.out, 0, 2000, 0));
  }

  /** An empty datagram is none; one that is too large is seen to be so. */
  @ParameterizedTest
  @CsvSource({"true,4000", "false,4000", "true,1"})
  void oddDatagramsAreSeen(boolean joins, int packet) {
    driver.packetBytes = packet;
    if (!joins) {
      driver.calls.refused.put(SocketOption.UDP_GRO, -SocketErrors.ENOPROTOOPT);
    }
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramSocket peer = driver.peer();
    int port = Driver.number(prev);
    Driver.send(peer, port, "");
    Driver.send(peer, port, new byte[20_000]);
    Driver.send(peer, port, "end");
    String large = driver.look(prev);
    assertTrue(large.length() > SEGMENT && prev.segment() > SEGMENT, "" + prev.segment());
    String end = large.substring(Math.min(large.length(), prev.segment()));
    if (end.isEmpty()) {
      end = driver.receive(prev);
      assertEquals(3, prev.segment());
    }
    assertEquals("end", end);
    driver.until("nothing more", () -> driver.isQuiet(prev));
    assertEquals(0, prev.foreign());
  }

  /** Of dialect isle, each side sends and receives, and a ring of two nodes keeps them apart. */
  @Test
  void sidesOfDialectIsleAnswer() {
    driver.dialect = Dialect.ISLE;
    DatagramPort prevA = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort prevB = driver.open(driver.listens("b", "127.0.0.1:0"));
    DatagramPort nextA =
        driver.open(
            driver.spec("a", RingSide.NEXT, "127.0.0.1:" + Driver.number(prevB), "127.0.0.1:0"));
    DatagramPort nextB =
        driver.open(
            driver.spec("b", RingSide.NEXT, "127.0.0.1:" + Driver.number(prevA), "127.0.0.1:0"));
    driver.untilUp(nextA);
    driver.untilUp(nextB);
    assertEquals(-Errno.ENOTCONN, driver.send(prevB, "early"));
    assertEquals(6, driver.send(nextA, "a to b"));
    assertEquals(6, driver.send(nextB, "b to a"));
    assertEquals("a to b", driver.receive(prevB));
    assertEquals("b to a", driver.receive(prevA));
    assertEquals(6, driver.send(prevB, "answer"));
    assertEquals("answer", driver.receive(nextA));
    assertTrue(driver.isQuiet(nextB) && driver.isQuiet(prevA) && driver.isQuiet(prevB));
    DatagramSocket stranger = driver.peer();
    String own = prevB.peer().orElseThrow();
    Driver.send(stranger, Integer.parseInt(own.substring(own.indexOf(':') + 1)), "x");
    driver.until("refused", () -> driver.isQuiet(nextA) && nextA.foreign() == 1);
  }

  @Test
  void aPortTellsWhatToWaitFor() {
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next = driver.open(driver.spec("a", RingSide.NEXT, "127.0.0.1:9", "127.0.0.1:0"));
    driver.untilUp(next);
    assertEquals(List.of(1), interests(prev, RingPort.READABLE));
    assertEquals(List.of(), interests(prev, 0));
    assertEquals(List.of(), interests(next, RingPort.READABLE));
    assertEquals(List.of(2), interests(next, RingPort.READABLE | RingPort.WRITABLE));
  }

  private static List<Integer> interests(DatagramPort port, int wanted) {
    List<Integer> events = new ArrayList<>();
    port.interests((descriptor, event) -> events.add(event), wanted);
    return events;
  }
}
