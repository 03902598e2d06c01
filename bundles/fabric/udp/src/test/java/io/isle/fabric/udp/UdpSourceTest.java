package io.isle.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.net.Names;
import java.net.DatagramSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose datagrams a node takes, and to whom it sends. */
@Timeout(60)
class UdpSourceTest {
  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4000})
  void theFirstValidSourceIsThePreviousNode(int packet) {
    driver.packetBytes = packet;
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    int port = Driver.number(prev);
    DatagramSocket stranger = driver.peer();
    DatagramSocket node = driver.peer();
    Driver.send(stranger, port, "garbage");
    assertEquals("garbage", driver.look(prev));
    assertEquals(PortState.LISTENING, prev.state());
    Driver.send(node, port, "chunk");
    assertEquals("chunk", driver.receive(prev));
    assertEquals(1, prev.paths());
    assertEquals(0, prev.foreign());
    for (int i = 0; i < 200; i++) {
      Driver.send(stranger, port, "flood");
    }
    Driver.send(node, port, "more");
    assertEquals("more", driver.receive(prev));
    assertEquals(200, prev.foreign());
    assertEquals("127.0.0.1:" + node.getLocalPort(), prev.peer().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4000})
  void anotherSourceWaitsForFiveSecondsOfSilence(int packet) {
    driver.packetBytes = packet;
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    int port = Driver.number(prev);
    DatagramSocket node = driver.peer();
    DatagramSocket other = driver.peer();
    Driver.send(node, port, "a");
    assertEquals("a", driver.receive(prev));
    driver.pass(4 * Driver.SECOND);
    Driver.send(other, port, "b");
    driver.until("refused", () -> driver.isQuiet(prev) && prev.foreign() == 1);
    driver.pass(2 * Driver.SECOND);
    assertEquals(PortState.UP, prev.state(), "silence alone ends nothing");
    Driver.send(other, port, "c");
    assertEquals("c", driver.receive(prev));
    assertEquals(2, prev.paths());
    assertEquals("127.0.0.1:" + other.getLocalPort(), prev.peer().orElseThrow());
    Driver.send(node, port, "d");
    driver.until("refused", () -> driver.isQuiet(prev) && prev.foreign() == 2);
  }

  @Test
  void aPathThatTheLinkEndsLeavesItsPlaceAtOnce() {
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    int port = Driver.number(prev);
    Driver.send(driver.peer(), port, "a");
    assertEquals("a", driver.receive(prev));
    prev.disconnect("the previous node has ended");
    DatagramSocket other = driver.peer();
    Driver.send(other, port, "b");
    assertEquals("b", driver.receive(prev));
    assertEquals(2, prev.paths());
    DatagramSocket stranger = driver.peer();
    Driver.send(stranger, port, "c");
    driver.until("refused", () -> driver.isQuiet(prev) && prev.foreign() == 1);
  }

  /** Datagrams that this node has not read yet are no silence. */
  @Test
  void aNodeThatReadsLateKeepsItsNeighbour() {
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    int port = Driver.number(prev);
    DatagramSocket node = driver.peer();
    DatagramSocket other = driver.peer();
    Driver.send(node, port, "a");
    assertEquals("a", driver.receive(prev));
    Driver.send(other, port, "stray");
    Driver.send(node, port, "b");
    driver.pass(10 * Driver.SECOND);
    assertEquals("b", driver.receive(prev));
    assertEquals(1, prev.foreign());
    assertEquals(1, prev.paths());
  }

  @Test
  void theSettingsNameTheOnlySource() {
    DatagramSocket node = driver.peer();
    DatagramSocket other = driver.peer();
    driver.source = "127.0.0.1:" + node.getLocalPort();
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    int port = Driver.number(prev);
    Driver.send(other, port, "a");
    driver.until("refused", () -> driver.isQuiet(prev) && prev.foreign() == 1);
    Driver.send(node, port, "b");
    assertEquals("b", driver.receive(prev));
    driver.pass(6 * Driver.SECOND);
    Driver.send(other, port, "c");
    driver.until("refused", () -> driver.isQuiet(prev) && prev.foreign() == 2);
  }

  @Test
  void aSourceByNameIsLookedUpUntilItHasAnAddress() {
    DatagramSocket node = driver.peer();
    driver.source = "node7:" + node.getLocalPort();
    AtomicInteger lookups = new AtomicInteger();
    Names names =
        host -> {
          if (host.host().equals("node7") && lookups.getAndIncrement() < 2) {
            throw new UnknownHostException("node7");
          }
          SockAddr address = new SockAddr();
          address.ipv4(0x7F000001, host.port());
          return List.of(address);
        };
    driver.transport = new UdpTransport(names, () -> driver.calls);
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    driver.until("told", () -> prev.reason().startsWith("prev.address: node7:"));
    driver.until(
        "found",
        () -> {
          driver.pass(Driver.SECOND / 10);
          return prev.reason().isEmpty() && lookups.get() >= 3;
        });
    Driver.send(node, Driver.number(prev), "a");
    assertEquals("a", driver.receive(prev));
  }

  @Test
  void onlyPermittedNetworksAreTaken() {
    driver.allow = List.of("127.0.0.2/32");
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    Driver.send(driver.peer(), Driver.number(prev), "a");
    driver.until("refused", () -> driver.isQuiet(prev) && prev.foreign() == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:0", "[::]:0"})
  void beyondTheLoopbackInterfacePlaintextIsNeeded(String address) {
    DatagramPort refused = driver.open(driver.listens("a", address));
    driver.until("refused", () -> refused.state() == PortState.FAILED);
    assertTrue(refused.reason().startsWith("listen: "), refused.reason());
    assertTrue(refused.reason().contains("plaintext = true"), refused.reason());
    DatagramPort away = driver.open(driver.spec("b", RingSide.NEXT, "192.0.2.1:9", ""));
    driver.until("refused", () -> away.state() == PortState.FAILED);
    assertTrue(away.reason().contains("plaintext = true"), away.reason());
    refused.close();

    driver.plaintext = true;
    DatagramPort open = driver.open(driver.listens("a", address));
    driver.until("open", () -> open.state() == PortState.LISTENING && !open.notes().isEmpty());
    assertTrue(open.notes().toString().contains("plaintext"), open.notes().toString());
    Driver.send(driver.peer(), Driver.number(open), "a");
    assertEquals("a", driver.receive(open));
    assertTrue(open.peer().orElseThrow().startsWith("127.0.0.1:"));

    driver.plaintext = false;
    DatagramPort second = driver.open(driver.listens("a", address));
    assertEquals(PortState.FAILED, second.state(), "the same socket, other settings");
    assertTrue(second.reason().contains("plaintext = true"), second.reason());
  }

  @Test
  void aNameOfTheNextNodeIsLookedUpAgainAfterAFailure() {
    DatagramSocket real = driver.peer();
    int port = real.getLocalPort();
    AtomicInteger lookups = new AtomicInteger();
    Names names =
        host -> {
          SockAddr address = new SockAddr();
          address.ipv4(lookups.getAndIncrement() == 0 ? 0x7F000002 : 0x7F000001, host.port());
          return List.of(address);
        };
    driver.transport = new UdpTransport(names, () -> driver.calls);
    DatagramPort next = driver.open(driver.spec("a", RingSide.NEXT, "node7:" + port, ""));
    driver.untilUp(next);
    assertEquals("127.0.0.2:" + port, next.peer().orElseThrow());
    driver.until(
        "the other address",
        () -> {
          driver.send(next, "a");
          driver.pass(Driver.SECOND / 10);
          return next.peer().orElse("").equals("127.0.0.1:" + port);
        });
    assertEquals(2, next.paths());
    assertEquals(1, driver.send(next, "b"));
    String got = Driver.receive(real);
    while (!got.endsWith(" b")) {
      assertTrue(got.endsWith(" a"), got);
      got = Driver.receive(real);
    }
  }
}
