package io.isle.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Names;
import java.net.DatagramSocket;
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
class UdpParkingTest {
  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  private ParkedPort park(DatagramPort port) {
    driver.forget(port);
    ParkedPort parked = port.park().orElseThrow();
    assertEquals(PortState.CLOSED, port.state());
    assertEquals(Optional.empty(), port.park());
    assertEquals(-Errno.ENOTCONN, driver.send(port, "x"));
    assertEquals(Long.MAX_VALUE, port.poll(driver.now()));
    port.close();
    return parked;
  }

  private static void release(ParkedPort parked) {
    Sockets sockets = new Sockets();
    parked.descriptors().forEach(fd -> assertEquals(0, sockets.close(fd)));
  }

  @Test
  void neighboursNoticeNothing() {
    DatagramSocket after = driver.peer();
    DatagramSocket before = driver.peer();
    PortSpec listens = driver.listens("a", "127.0.0.1:0");
    PortSpec sends =
        driver.spec("a", RingSide.NEXT, "127.0.0.1:" + after.getLocalPort(), "127.0.0.1:0");
    DatagramPort prev = driver.open(listens);
    DatagramPort next = driver.open(sends);
    driver.untilUp(next);
    int port = Driver.number(prev);
    Driver.send(before, port, "a");
    assertEquals("a", driver.receive(prev));
    driver.calls.sends.add(-Errno.EIO);
    assertEquals(3000, next.send(driver.out, 0, 3000, UdpSettings.DATAGRAM));
    for (int i = 0; i < 3; i++) {
      Driver.receive(after);
    }

    ParkedPort parkedPrev = park(prev);
    Driver.send(before, port, "b");
    assertEquals(1, driver.send(next, "c"), "the other side is not parked yet");
    assertEquals(port + " c", Driver.receive(after));
    ParkedPort parkedNext = park(next);
    driver.transport = new UdpTransport(Names.SYSTEM, () -> driver.calls);
    DatagramPort nextAgain = driver.adopt(sends, parkedNext);
    DatagramPort prevAgain = driver.adopt(listens, parkedPrev);

    assertEquals(PortState.UP, prevAgain.state());
    assertEquals(PortState.UP, nextAgain.state());
    assertEquals(1, prevAgain.paths());
    assertEquals(1, nextAgain.paths());
    assertEquals(port, Driver.number(prevAgain));
    assertEquals("b", driver.receive(prevAgain));
    assertEquals(1, prevAgain.paths());
    assertEquals(1, driver.send(nextAgain, "d"));
    assertEquals(port + " d", Driver.receive(after));
    int batches = driver.calls.batches;
    assertEquals(3000, nextAgain.send(driver.out, 0, 3000, UdpSettings.DATAGRAM));
    assertEquals(batches + 1, driver.calls.batches, "a batch is not cut, as before");
    Driver.send(driver.peer(), port, "stray");
    driver.until("refused", () -> driver.isQuiet(prevAgain) && prevAgain.foreign() == 1);
    prevAgain.close();
    nextAgain.close();
    driver.peer("127.0.0.1", port);
  }

  /** The kernel has joined what waits, although packets of the new settings are single ones. */
  @Test
  void joinedDatagramsThatWaitAreStillCut() {
    int segment = UdpSettings.DATAGRAM;
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next = driver.open(driver.sends("b", Driver.number(prev)));
    driver.untilUp(next);
    assertEquals(3L * segment, next.send(driver.out, 0, 3 * segment, segment));
    ParkedPort parked = park(prev);
    driver.packetBytes = 1;
    DatagramPort again = driver.adopt(driver.listens("a", "127.0.0.1:0"), parked);
    assertEquals(3 * segment, driver.receive(again).length());
    assertEquals(segment, again.segment());
  }

  /** Earlier versions left the size of segments in the socket, and no word about it. */
  @Test
  void aSocketOfAnEarlierVersionSendsWhatItIsGiven() {
    DatagramSocket after = driver.peer();
    PortSpec sends = driver.sends("a", after.getLocalPort());
    DatagramPort next = driver.open(sends);
    driver.untilUp(next);
    ParkedPort parked = park(next);
    int descriptor = parked.descriptors().getFirst();
    driver.calls.set(descriptor, SocketOption.UDP_SEGMENT, UdpSettings.DATAGRAM);
    Map<String, String> facts = new HashMap<>(parked.facts());
    facts.remove("uncut");
    DatagramPort again =
        driver.adopt(sends, new ParkedPort(parked.format(), parked.descriptors(), facts));
    assertEquals(0, driver.calls.get(descriptor, SocketOption.UDP_SEGMENT));
    assertEquals(3000, again.send(driver.out, 0, 3000, UdpSettings.DATAGRAM));
    assertEquals(1, driver.calls.cutSends);
    for (int i = 0; i < 3; i++) {
      Driver.receive(after);
    }
  }

  @Test
  void aSocketOfItsOwnGoesOn() {
    DatagramSocket after = driver.peer();
    PortSpec sends = driver.sends("a", after.getLocalPort());
    DatagramPort next = driver.open(sends);
    driver.untilUp(next);
    assertEquals(1, driver.send(next, "a"));
    String from = Driver.receive(after).split(" ")[0];
    ParkedPort parked = park(next);
    driver.transport = new UdpTransport(Names.SYSTEM, () -> driver.calls);
    DatagramPort again = driver.adopt(sends, parked);
    assertEquals(1, driver.send(again, "b"));
    assertEquals(from + " b", Driver.receive(after));
  }

  @Test
  void aPortWithoutASocketHasNothingToKeep() {
    DatagramSocket other = driver.peer();
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:" + other.getLocalPort()));
    driver.forget(prev);
    assertEquals(Optional.empty(), prev.park());
    assertEquals(PortState.CLOSED, prev.state());
  }

  @ParameterizedTest
  @CsvSource({
    "format,tcp/1",
    "side,next",
    "address,127.0.0.1:1",
    "paths,-1",
    "paths,many",
    "peer,nobody",
    "dialect,isle",
    "local,127.0.0.1:2",
    "descriptors,"
  })
  void anotherFormatIsNotAdopted(String changed, String value) {
    PortSpec listens = driver.listens("a", "127.0.0.1:0");
    DatagramPort prev = driver.open(listens);
    ParkedPort parked = park(prev);
    Map<String, String> facts = new HashMap<>(parked.facts());
    facts.put(changed, value == null ? "" : value);
    List<Integer> descriptors = changed.equals("descriptors") ? List.of() : parked.descriptors();
    ParkedPort other =
        new ParkedPort(changed.equals("format") ? value : parked.format(), descriptors, facts);
    assertEquals(Optional.empty(), driver.transport.adopt(listens, other));
    assertTrue(driver.transport.adopt(listens, parked).isPresent(), "the descriptor is open");
    release(parked);
    assertFalse(parked.facts().isEmpty());
  }
}
