package io.isle.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import java.net.DatagramSocket;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of the kernel and of the network. */
@Timeout(60)
class UdpFailureTest {
  private static final int SEGMENT = UdpSettings.DATAGRAM;

  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  /** The device cannot compute checksums, or the route has changed to one with a smaller MTU. */
  @ParameterizedTest
  @ValueSource(ints = {Errno.EIO, Errno.EINVAL})
  void aBatchThatTheKernelCannotCutGoesOneByOne(int errno) {
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next = driver.open(driver.sends("b", Driver.number(prev)));
    driver.untilUp(next);
    assertEquals(3L * SEGMENT, next.send(driver.out, 0, 3 * SEGMENT, SEGMENT));
    assertEquals(0, driver.calls.batches);
    driver.calls.sends.add(-errno);
    assertEquals(3L * SEGMENT, next.send(driver.out, 0, 3 * SEGMENT, SEGMENT));
    assertEquals(1, driver.calls.batches);
    assertEquals(3L * SEGMENT, next.send(driver.out, 0, 3 * SEGMENT, SEGMENT));
    assertEquals(2, driver.calls.batches, "remembered");
    assertEquals(1, driver.calls.cutSends);
    assertTrue(next.notes().toString().contains("without UDP_SEGMENT"), "" + next.notes());
    long bytes = 0;
    while (bytes < 9L * SEGMENT) {
      bytes += driver.receive(prev).length();
    }
    assertTrue(driver.isQuiet(prev), "nothing twice");
  }

  @Test
  void theRestOfABatchWaitsForRoom() {
    DatagramPort next = driver.open(driver.sends("b", driver.peer().getLocalPort()));
    driver.untilUp(next);
    driver.calls.sends.add(-Errno.EIO);
    driver.calls.sends.add(2);
    assertEquals(2L * SEGMENT, next.send(driver.out, 0, 5 * SEGMENT, SEGMENT));
    for (int full : new int[] {Errno.EAGAIN, SocketErrors.ENOBUFS, Errno.ENOMEM}) {
      driver.calls.sends.add(-full);
      assertEquals(-Errno.EAGAIN, next.send(driver.out, 0, 5 * SEGMENT, SEGMENT));
    }
    assertEquals(PortState.UP, next.state());
  }

  @Test
  void aPathWithASmallMtuIsNamed() {
    DatagramPort next = driver.open(driver.sends("b", driver.peer().getLocalPort()));
    driver.untilUp(next);
    driver.calls.values.put(SocketOption.IP_MTU, 1400);
    driver.calls.sends.add(-Errno.EMSGSIZE);
    assertEquals(-Errno.EMSGSIZE, next.send(driver.out, 0, 2 * SEGMENT, SEGMENT));
    String reason = next.reason();
    assertTrue(reason.contains("1440 B") && reason.contains("1400 B"), reason);
    assertEquals(Errno.EMSGSIZE, next.failure());
    assertEquals(PortState.UP, next.state());
    assertEquals(1, driver.send(next, "a"));
    assertEquals(reason, next.reason(), "a small one has gone");
    assertEquals(2L * SEGMENT, next.send(driver.out, 0, 2 * SEGMENT, SEGMENT));
    assertEquals("", next.reason());
    assertEquals(0, next.failure());
  }

  @Test
  void aSmallMtuOfTheWayBackIsNamed() {
    driver.dialect = Dialect.ISLE;
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramSocket peer = driver.peer();
    Driver.send(peer, Driver.number(prev), "b");
    assertEquals("b", driver.receive(prev));
    driver.calls.values.put(SocketOption.IP_MTU, 1400);
    driver.calls.sends.add(-Errno.EMSGSIZE);
    assertEquals(-Errno.EMSGSIZE, prev.send(driver.out, 0, SEGMENT, SEGMENT));
    driver.poll();
    assertTrue(prev.reason().startsWith("prev: 127.0.0.1:"), prev.reason());
    assertTrue(prev.reason().contains("an MTU of 1440 B"), prev.reason());
  }

  @Test
  void theMtuOfThePathIsTheKernels() {
    DatagramPort next = driver.open(driver.sends("b", driver.peer().getLocalPort()));
    driver.untilUp(next);
    driver.calls.sends.add(-Errno.EMSGSIZE);
    assertEquals(-Errno.EMSGSIZE, driver.send(next, "a"));
    assertTrue(next.reason().contains("the path has 65535 B"), next.reason());
  }

  /** The machine answers that nobody listens; the node goes on and counts. */
  @Test
  void aNodeThatIsNotThereEndsNothing() {
    int port = Driver.freePort();
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    DatagramPort next =
        driver.open(driver.spec("a", RingSide.NEXT, "127.0.0.1:" + port, "127.0.0.1:0"));
    driver.untilUp(next);
    for (int i = 0; i < 10; i++) {
      assertEquals(1, driver.send(next, "a"));
    }
    driver.until("told", () -> next.reason().contains("Connection refused"));
    assertEquals(SocketErrors.ECONNREFUSED, next.failure());
    assertTrue(next.reason().startsWith("next: 127.0.0.1:" + port), next.reason());
    assertTrue(next.notes().toString().contains("datagrams did not reach"), "" + next.notes());
    assertFalse(prev.notes().toString().contains("did not reach"), "" + prev.notes());
    assertEquals(PortState.UP, next.state());
    assertEquals(PortState.LISTENING, prev.state());
    assertTrue(driver.isQuiet(prev), "the failure is no failure of receiving");
    DatagramSocket after = driver.peer("127.0.0.1", port);
    driver.pass(6 * Driver.SECOND);
    assertEquals("", next.reason());
    assertEquals(1, driver.send(next, "b"));
    assertEquals(Driver.number(prev) + " b", Driver.receive(after));
    assertEquals(1, next.paths());
  }

  /** The kernel itself has no route: nothing is sent until a later attempt. */
  @Test
  void aRefusalOfTheKernelIsTriedAgain() {
    DatagramSocket after = driver.peer();
    DatagramPort next = driver.open(driver.sends("b", after.getLocalPort()));
    driver.untilUp(next);
    driver.calls.sends.addAll(Collections.nCopies(8, -SocketErrors.ENETUNREACH));
    assertEquals(-Errno.ENOTCONN, driver.send(next, "a"));
    assertEquals(-Errno.ENOTCONN, driver.send(next, "a"));
    driver.poll();
    assertEquals(PortState.CONNECTING, next.state());
    assertTrue(next.reason().contains("Network is unreachable"), next.reason());
    driver.until("again", () -> driver.send(next, "b") == 1);
    assertEquals("", next.reason());
    assertEquals(PortState.UP, next.state());
    assertEquals(1, next.paths());
    assertTrue(Driver.receive(after).endsWith(" b"));
  }

  /** One pending failure of an earlier datagram neither loses nor repeats the present one. */
  @Test
  void aPendingFailureDelaysNothing() {
    DatagramSocket after = driver.peer();
    DatagramPort next = driver.open(driver.sends("b", after.getLocalPort()));
    driver.untilUp(next);
    driver.calls.sends.add(-SocketErrors.ECONNREFUSED);
    assertEquals(1, driver.send(next, "a"));
    assertTrue(Driver.receive(after).endsWith(" a"));
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:0"));
    Driver.send(after, Driver.number(prev), "b");
    driver.calls.receives.add(-SocketErrors.ECONNREFUSED);
    assertEquals("b", driver.receive(prev));
    driver.calls.receives.addAll(Collections.nCopies(8, -SocketErrors.EHOSTUNREACH));
    assertTrue(driver.isQuiet(prev));
  }

  @Test
  void aPortInUseIsTriedAgain() {
    DatagramSocket other = driver.peer();
    DatagramPort prev = driver.open(driver.listens("a", "127.0.0.1:" + other.getLocalPort()));
    driver.until("told", () -> prev.state() == PortState.FAILED);
    assertTrue(prev.reason().contains("Another program uses the port"), prev.reason());
    other.close();
    driver.until("bound", () -> prev.state() == PortState.LISTENING);
    assertEquals("", prev.reason());
  }
}
