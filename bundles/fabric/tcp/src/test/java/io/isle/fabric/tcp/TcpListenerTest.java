package io.isle.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TcpListenerTest {
  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  /** The descriptors that the port waits for. */
  private static Set<Integer> descriptors(RingPort port, int wanted) {
    Set<Integer> all = new HashSet<>();
    port.interests((fd, events) -> all.add(fd), wanted);
    return all;
  }

  static int pathOf(RingPort port) {
    Set<Integer> path = descriptors(port, RingPort.READABLE);
    path.removeAll(descriptors(port, 0));
    return path.iterator().next();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "[::1]", "localhost"})
  void theFirstThatSendsIsThePredecessor(String host) {
    StreamPort port = driver.listen(host);
    driver.until("bound", () -> !port.notes().isEmpty());
    assertEquals(PortState.LISTENING, port.state());
    Socket silent = driver.peerOf(port);
    Socket sender = driver.peerOf(port);
    driver.until("both kept", () -> descriptors(port, 0).size() == 3);
    assertEquals(PortState.LISTENING, port.state());
    assertEquals(0, port.paths());
    assertEquals(-Errno.ENOTCONN, port.read(driver.memory(), 0, 10));

    Driver.send(sender, "abcdef");
    driver.untilUp(port);
    assertEquals(1, port.paths());
    assertTrue(
        port.peer().orElseThrow().endsWith(":" + sender.getLocalPort()), port.peer()::toString);
    assertEquals("abc", driver.read(port, 3));
    assertEquals("def", driver.read(port, 3));
    assertEquals(-Errno.EAGAIN, port.read(driver.memory(), 0, 10));
    assertEquals(0, port.strays());

    assertEquals(3, driver.write(port, "xyz", false));
    assertEquals("xyz", Driver.receive(sender, 3));
    assertFalse(silent.isClosed());
  }

  @Test
  void whileThePredecessorIsConnectedOthersAreClosedAndCounted() throws IOException {
    StreamPort port = driver.listen("127.0.0.1");
    Socket early = driver.peerOf(port);
    Socket predecessor = driver.peerOf(port);
    Driver.send(predecessor, "a");
    driver.untilUp(port);
    Socket late = driver.peerOf(port);
    driver.until("closed", () -> port.strays() == 1);
    assertEquals(-1, late.getInputStream().read());
    Driver.send(early, "b");
    driver.until("closed", () -> port.strays() == 2);
    assertEquals("a", driver.read(port, 1));
    Driver.send(predecessor, "c");
    assertEquals("c", driver.read(port, 1));
    assertEquals(1, port.paths());
    assertEquals(0, port.foreign());
  }

  @Test
  void aPacketCutByACloseIsReadToItsEndAndTheNodeAcceptsAgain() throws IOException {
    StreamPort port = driver.listen("127.0.0.1");
    Socket first = driver.peerOf(port);
    Driver.send(first, "half a packet");
    driver.untilUp(port);
    first.close();
    Socket second = driver.peerOf(port);
    Driver.send(second, "whole");
    driver.pass(Driver.SECOND);
    assertEquals(PortState.UP, port.state(), "bytes of the first path are left");
    assertEquals(-Errno.ENOTCONN, driver.write(port, "a", false));
    assertEquals(1, port.paths());
    assertEquals("half a packet", driver.read(port, 13));
    assertEquals(-Errno.ENOTCONN, port.read(driver.memory(), 0, 1));
    assertTrue(port.reason().endsWith(" closed the connection"), port::reason);
    assertEquals(Optional.empty(), port.peer());
    driver.until("the second path", () -> port.paths() == 2);
    assertEquals("whole", driver.read(port, 5));
    assertEquals(0, port.strays());
    assertEquals("", port.reason());
  }

  @Test
  void fewerBytesThanWantedAreNoEventAndAnEndIsOne() throws IOException {
    StreamPort port = driver.listen("127.0.0.1");
    Socket peer = driver.peerOf(port);
    Driver.send(peer, "a");
    driver.untilUp(port);
    assertEquals("a", driver.read(port, 1));
    int path = pathOf(port);
    PollSet set = new PollSet(1);
    set.set(0, path, PollSet.POLLIN);
    Sockets sockets = new Sockets();

    port.readableFrom(4);
    Driver.send(peer, "bcd");
    driver.until("arrived", () -> sockets.unread(path) == 3);
    assertEquals(0, set.await(1, 0));
    Driver.send(peer, "e");
    assertEquals(1, set.await(1, 20 * Driver.SECOND));
    assertEquals("bcde", driver.read(port, 4));

    Driver.send(peer, "f");
    driver.until("arrived", () -> sockets.unread(path) == 1);
    assertEquals(0, set.await(1, 0));
    port.readableFrom(1);
    assertEquals(1, set.await(1, 0));
    assertEquals("f", driver.read(port, 1));

    port.readableFrom(4);
    assertEquals(0, set.await(1, 0));
    peer.close();
    assertEquals(1, set.await(1, 20 * Driver.SECOND));
  }

  @Test
  void aResetIsAnEndWithAReason() {
    StreamPort port = driver.listen("127.0.0.1");
    Socket peer = driver.peerOf(port);
    Driver.send(peer, "a");
    driver.untilUp(port);
    assertEquals("a", driver.read(port, 1));
    Driver.reset(peer);
    driver.until("listens", () -> port.state() == PortState.LISTENING);
    assertTrue(port.reason().contains(" reset the connection"), port::reason);
    assertEquals(-Errno.ENOTCONN, port.read(driver.memory(), 0, 1));
    assertEquals(-Errno.ENOTCONN, driver.write(port, "a", false));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aScanDisturbsNoSilentPredecessor(boolean held) throws IOException {
    StreamPort port = driver.listen("127.0.0.1");
    Socket predecessor = driver.peerOf(port);
    driver.until("kept", () -> descriptors(port, 0).size() == 2);
    driver.pass(60 * Driver.SECOND);
    for (int i = 0; i < 50; i++) {
      Socket probe = driver.peerOf(port);
      if (!held) {
        probe.close();
      } else {
        driver.pass(Driver.SECOND);
      }
    }
    driver.until("all seen", () -> port.strays() >= (held ? 43 : 50));
    assertTrue(descriptors(port, 0).size() <= 1 + Candidates.MOST);
    Driver.send(predecessor, "first");
    driver.untilUp(port);
    assertEquals("first", driver.read(port, 5));
    assertEquals(1, port.paths());
  }

  @Test
  void aScanDisturbsNoConnectedPredecessor() throws IOException {
    StreamPort port = driver.listen("127.0.0.1");
    Socket predecessor = driver.peerOf(port);
    Driver.send(predecessor, "a");
    driver.untilUp(port);
    for (int i = 0; i < 50; i++) {
      Socket probe = driver.peerOf(port);
      Driver.send(probe, "GET / HTTP/1.0\r\n\r\n");
      if (i % 2 == 0) {
        probe.close();
      }
    }
    driver.until("all closed", () -> port.strays() == 50);
    Driver.send(predecessor, "b");
    assertEquals("ab", driver.read(port, 2));
    assertEquals(1, port.paths());
  }

  /** Who holds all places keeps a newcomer out for five seconds. */
  @Test
  void heldConnectionsCannotKeepAPredecessorOut() throws IOException {
    StreamPort port = driver.listen("127.0.0.1");
    for (int i = 0; i < Candidates.MOST; i++) {
      driver.peerOf(port);
    }
    driver.until("all kept", () -> descriptors(port, 0).size() == 1 + Candidates.MOST);
    Socket early = driver.peerOf(port);
    driver.until("closed", () -> port.strays() == 1);
    assertEquals(-1, early.getInputStream().read());
    driver.pass(6 * Driver.SECOND);
    Socket predecessor = driver.peerOf(port);
    driver.until("a place", () -> port.strays() == 2);
    Driver.send(predecessor, "mine");
    driver.untilUp(port);
    assertEquals("mine", driver.read(port, 4));
  }

  @Test
  void aSenderIsTakenThoughAllPlacesAreHeld() {
    StreamPort port = driver.listen("127.0.0.1");
    for (int i = 0; i < Candidates.MOST; i++) {
      driver.peerOf(port);
    }
    driver.until("all kept", () -> descriptors(port, 0).size() == 1 + Candidates.MOST);
    Driver.send(driver.peerOf(port), "mine");
    driver.untilUp(port);
    assertEquals("mine", driver.read(port, 4));
    assertEquals(1, port.strays());
  }

  /** The machine of the predecessor lost its power: nothing says that the connection has ended. */
  @Test
  void aPredecessorThatKeepaliveHasEndedIsReplaced() {
    StreamPort port = driver.listen("127.0.0.1");
    Socket old = driver.peerOf(port);
    Driver.send(old, "ab");
    driver.untilUp(port);
    assertEquals("a", driver.read(port, 1));
    driver.vitals.probes(pathOf(port), 1);
    driver.pass(4 * Driver.SECOND);
    driver.peerOf(port);
    driver.until("closed", () -> port.strays() == 1);
    driver.pass(2 * Driver.SECOND);
    Socket next = driver.peerOf(port);
    Driver.send(next, "cd");
    driver.pass(Driver.SECOND);
    assertEquals(1, port.paths(), "a byte of the old path is left");
    assertEquals(1, port.read(driver.memory(), 0, 100));
    assertEquals(-Errno.ENOTCONN, port.read(driver.memory(), 0, 100));
    assertTrue(port.reason().contains("answered nothing for 5 s"), port::reason);
    driver.until("replaced", () -> port.paths() == 2);
    assertEquals("cd", driver.read(port, 2));
    assertEquals(1, port.strays());
  }

  @Test
  void peersOutsideOfAllowAreForeign() throws IOException {
    StreamPort port =
        driver.open(Driver.spec(RingSide.PREV, "127.0.0.1:0", List.of("127.0.0.2/32"), false));
    Socket refused = driver.peerOf(port);
    driver.until("refused", () -> port.foreign() == 1);
    assertEquals(-1, refused.getInputStream().read());
    try (Socket permitted = new Socket()) {
      permitted.bind(new java.net.InetSocketAddress("127.0.0.2", 0));
      permitted.connect(new java.net.InetSocketAddress("127.0.0.1", Driver.number(port)));
      Driver.send(permitted, "a");
      driver.untilUp(port);
    }
    assertEquals(0, port.strays());
  }

  @Test
  void beyondLoopbackThePlaintextSettingIsNamed() {
    StreamPort port = driver.open(Driver.spec(RingSide.PREV, "0.0.0.0:0"));
    assertEquals(PortState.FAILED, port.state());
    assertTrue(port.reason().startsWith("listen: 0.0.0.0:0 "), port::reason);
    assertTrue(port.reason().contains("plaintext = true"), port::reason);
    assertEquals(Long.MAX_VALUE, port.poll(driver.now()));
    StreamPort open = driver.open(Driver.spec(RingSide.PREV, "0.0.0.0:0", List.of(), true));
    assertEquals(PortState.LISTENING, open.state());
    assertEquals("plaintext = true: bytes are not encrypted", open.notes().getLast());
  }

  @Test
  void anAddressInUseIsTriedAgain() throws IOException {
    StreamPort port;
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String address = "127.0.0.1:" + other.getLocalPort();
      port = driver.open(Driver.spec(RingSide.PREV, address));
      assertEquals(PortState.FAILED, port.state());
      assertTrue(
          port.reason().startsWith("listen: " + address + ": Address already in use. "),
          port::reason);
      driver.pass(10 * Driver.SECOND);
      assertEquals(PortState.FAILED, port.state());
    }
    driver.pass(3 * Driver.SECOND);
    assertEquals(PortState.LISTENING, port.state());
    assertEquals("", port.reason());
  }

  @Test
  void anAddressOfAnotherMachineIsNamed() {
    StreamPort port = driver.open(Driver.spec(RingSide.PREV, "192.0.2.1:9", List.of(), true));
    assertEquals(PortState.FAILED, port.state());
    assertTrue(
        port.reason().contains("No interface of this machine has the address"), port::reason);
  }

  @Test
  void buffersAreShownWithWhatWasGranted() {
    StreamPort port = driver.listen("127.0.0.1");
    assertTrue(
        port.notes().get(1).matches("send buffer .*8388608 B.*"), () -> port.notes().toString());
    assertTrue(port.notes().get(2).matches("receive buffer .*8388608 B.*"));
  }
}
