package io.isle.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Names;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A transport goes, and another version of it takes over. */
@Timeout(60)
class TcpParkingTest {
  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  private ParkedPort park(StreamPort port) {
    driver.forget(port);
    ParkedPort parked = port.park().orElseThrow();
    assertEquals(PortState.CLOSED, port.state());
    assertEquals(Optional.empty(), port.park());
    assertEquals(-Errno.ENOTCONN, port.read(driver.memory(), 0, 1));
    assertEquals(Long.MAX_VALUE, port.poll(driver.now()));
    port.close();
    driver.transport = new TcpTransport(Names.SYSTEM, () -> driver.vitals);
    return parked;
  }

  private static void release(ParkedPort parked) {
    Sockets sockets = new Sockets();
    parked.descriptors().forEach(fd -> assertEquals(0, sockets.close(fd)));
  }

  /** Both sides in the middle of packets; the neighbours are of another program. */
  @Test
  void packetsUnderWayGoOn() throws IOException {
    PortSpec listens = Driver.spec(RingSide.PREV, "127.0.0.1:0");
    StreamPort prev = driver.open(listens);
    ServerSocket server = driver.server(0);
    PortSpec connects = Driver.spec(RingSide.NEXT, "127.0.0.1:" + server.getLocalPort());
    StreamPort next = driver.open(connects);
    Socket before = driver.peerOf(prev);
    Driver.send(before, "abcdefgh");
    driver.untilUp(prev);
    driver.untilUp(next);
    Socket after = driver.accepted(server);
    assertEquals("abc", driver.read(prev, 3));
    assertEquals(3, driver.write(next, "ABC", true));
    String bound = Driver.bound(prev);
    String peer = prev.peer().orElseThrow();

    ParkedPort parkedPrev = park(prev);
    ParkedPort parkedNext = park(next);
    Driver.send(before, "ijkl");
    StreamPort nextAgain = driver.adopt(connects, parkedNext);
    StreamPort prevAgain = driver.adopt(listens, parkedPrev);

    assertEquals(PortState.UP, prevAgain.state());
    assertEquals(PortState.UP, nextAgain.state());
    assertEquals(1, prevAgain.paths());
    assertEquals(1, nextAgain.paths());
    assertEquals(Optional.of(peer), prevAgain.peer());
    assertEquals(bound, Driver.bound(prevAgain));
    assertEquals("defghijkl", driver.read(prevAgain, 9));
    assertEquals(3, driver.write(nextAgain, "DEF", false));
    assertEquals("ABCDEF", Driver.receive(after, 6));
    driver.pass(5 * Driver.SECOND);
    assertEquals(0, after.getInputStream().available());
    assertEquals(1, nextAgain.paths());

    Socket stray = driver.peerOf(prevAgain);
    driver.until("closed", () -> prevAgain.strays() == 1);
    assertEquals(-1, stray.getInputStream().read());
    before.close();
    Socket again = driver.peerOf(prevAgain);
    Driver.send(again, "m");
    driver.until("another path", () -> prevAgain.paths() == 2);
    assertEquals("m", driver.read(prevAgain, 1));
  }

  @Test
  void aPathGoesOnWithEachByteAsAnEvent() {
    PortSpec spec = Driver.spec(RingSide.PREV, "127.0.0.1:0");
    StreamPort port = driver.open(spec);
    Socket peer = driver.peerOf(port);
    Driver.send(peer, "a");
    driver.untilUp(port);
    assertEquals("a", driver.read(port, 1));
    port.readableFrom(100);
    StreamPort again = driver.adopt(spec, park(port));
    PollSet set = new PollSet(1);
    set.set(0, TcpListenerTest.pathOf(again), PollSet.POLLIN);
    assertEquals(0, set.await(1, 0));
    Driver.send(peer, "b");
    assertEquals(1, set.await(1, 20 * Driver.SECOND));
    assertEquals("b", driver.read(again, 1));
  }

  @Test
  void aSilentPredecessorKeepsItsConnection() {
    PortSpec spec = Driver.spec(RingSide.PREV, "127.0.0.1:0");
    StreamPort port = driver.open(spec);
    Socket silent = driver.peerOf(port);
    Socket other = driver.peerOf(port);
    driver.until("kept", () -> count(port) == 3);
    ParkedPort parked = park(port);
    Driver.send(other, "a");
    StreamPort again = driver.adopt(spec, parked);
    driver.untilUp(again);
    assertEquals("a", driver.read(again, 1));
    Driver.reset(other);
    driver.until("listens", () -> again.state() == PortState.LISTENING);
    Driver.send(silent, "b");
    driver.untilUp(again);
    assertEquals("b", driver.read(again, 1));
    assertEquals(2, again.paths());
  }

  private static int count(StreamPort port) {
    List<Integer> all = new ArrayList<>();
    port.interests((fd, events) -> all.add(fd), 0);
    return all.size();
  }

  /** A closed connect would look like a stray at the neighbour, or like its predecessor. */
  @Test
  void aConnectWithoutAnOutcomeIsKept() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      PortSpec spec = Driver.spec(RingSide.NEXT, "127.0.0.1:" + server.getLocalPort());
      List<StreamPort> ports = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        ports.add(driver.open(spec));
      }
      ParkedPort parked = park(ports.getLast());
      assertEquals(1, parked.descriptors().size());
      StreamPort again = driver.adopt(spec, parked);
      assertEquals(PortState.CONNECTING, again.state());
      for (int i = 0; i < 3; i++) {
        driver.accepted(server);
      }
      driver.untilUp(again);
      assertEquals(1, again.paths());
    }
  }

  @Test
  void aPortWithoutDescriptorsKeepsTheNumberOfItsPaths() throws IOException {
    ServerSocket server = driver.server(0);
    PortSpec spec = Driver.spec(RingSide.NEXT, "127.0.0.1:" + server.getLocalPort());
    StreamPort port = driver.open(spec);
    driver.untilUp(port);
    Socket peer = driver.accepted(server);
    server.close();
    peer.close();
    driver.until("the end", () -> port.state() == PortState.CONNECTING);
    ParkedPort parked = park(port);
    assertEquals(List.of(), parked.descriptors());
    StreamPort again = driver.adopt(spec, parked);
    assertEquals(1, again.paths());
    driver.server(server.getLocalPort());
    driver.until("again", () -> again.paths() == 2);
  }

  @ParameterizedTest
  @CsvSource({
    "tcp/2,'','',127.0.0.1:0",
    "'',roles,listener listener,127.0.0.1:0",
    "'',roles,connecting,127.0.0.1:0",
    "'',roles,'',127.0.0.1:0",
    "'',paths,-1,127.0.0.1:0",
    "'',side,next,127.0.0.1:0",
    "'','','',[::1]:0"
  })
  void whatIsUnknownIsLeftToItsOwner(String format, String fact, String value, String address) {
    StreamPort port = driver.open(Driver.spec(RingSide.PREV, "127.0.0.1:0"));
    ParkedPort parked = park(port);
    Map<String, String> facts = new HashMap<>(parked.facts());
    if (!fact.isEmpty()) {
      facts.put(fact, value);
    }
    ParkedPort changed =
        new ParkedPort(format.isEmpty() ? parked.format() : format, parked.descriptors(), facts);
    assertNotEquals(parked.toString() + "127.0.0.1:0", changed.toString() + address);
    PortSpec spec = Driver.spec(RingSide.PREV, address);
    assertEquals(Optional.empty(), driver.transport.adopt(spec, changed));
    release(parked);
  }

  /** Each fact is needed: without one, nothing is adopted. */
  @Test
  void missingFactsAreRefused() {
    StreamPort port = driver.open(Driver.spec(RingSide.PREV, "127.0.0.1:0"));
    ParkedPort parked = park(port);
    for (String fact : List.of("side", "address", "roles", "peer", "paths")) {
      Map<String, String> facts = new HashMap<>(parked.facts());
      assertTrue(facts.remove(fact) != null, fact);
      ParkedPort changed = new ParkedPort(parked.format(), parked.descriptors(), facts);
      PortSpec spec = Driver.spec(RingSide.PREV, "127.0.0.1:0");
      assertEquals(Optional.empty(), driver.transport.adopt(spec, changed), fact);
    }
    release(parked);
  }

  @Test
  void aClosedPortHasNoDescriptorsLeft() throws IOException {
    StreamPort port = driver.listen("127.0.0.1");
    int number = Driver.number(port);
    Socket sender = driver.peerOf(port);
    Socket silent = driver.peerOf(port);
    Driver.send(sender, "a");
    driver.untilUp(port);
    assertEquals("a", driver.read(port, 1));
    port.close();
    port.close();
    assertEquals(-1, sender.getInputStream().read());
    assertEquals(-1, silent.getInputStream().read());
    driver.server(number);
  }
}
