package io.isle.lib.net.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PingClientTest {
  private static final int LOOPBACK = 0x7F000001;
  private static final long LONG_NS = 60_000_000_000L;

  private final DatagramSocket echo;
  private final PingClient client;

  PingClientTest() throws IOException {
    echo = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
    client = PingClient.udp(Optional.empty(), LOOPBACK, echo.getLocalPort(), 100);
  }

  @AfterEach
  void close() {
    client.close();
    echo.close();
  }

  private DatagramPacket request() throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
    echo.receive(packet);
    return packet;
  }

  private static PingClient icmp(Optional<Path> netns) {
    try {
      return PingClient.icmp(netns, LOOPBACK, 10);
    } catch (PosixException e) {
      if (e.code() == Errno.EPERM) {
        assertTrue(e.getMessage().contains("need root"), e.getMessage());
        return abort(e.getMessage());
      }
      throw e;
    }
  }

  @Test
  void answersCountByTheirNumbersInAnyOrder() throws IOException {
    assertEquals(0, client.send(16));
    assertEquals(1, client.send(1000));
    assertEquals(2, client.send(8));
    DatagramPacket first = request();
    DatagramPacket second = request();
    assertEquals(16, first.getLength());
    assertEquals(1000, second.getLength());
    echo.send(second);
    echo.send(first);
    echo.send(second);
    for (int i = 0; i < 3; i++) {
      assertTrue(client.receive(LONG_NS));
    }
    assertFalse(client.receive(0));
    assertEquals(new PingTally(3, 2, 1, 1, 0), client.tally());
    assertTrue(client.rttNs(0) > 0);
    assertEquals(-1, client.rttNs(2));
  }

  @Test
  void otherBytesAndOtherLengthsAreWrong() throws IOException {
    client.send(16);
    DatagramPacket request = request();
    request.getData()[15]++;
    echo.send(request);
    request.getData()[15]--;
    request.setLength(15);
    echo.send(request);
    request.setLength(16);
    request.getData()[7] = 1;
    echo.send(request);
    request.getData()[4] = -1;
    echo.send(request);
    for (int i = 0; i < 4; i++) {
      assertTrue(client.receive(LONG_NS));
    }
    assertEquals(new PingTally(1, 0, 1, 0, 4), client.tally());
  }

  @Test
  void answersToOtherClientsDoNotCount() throws IOException {
    client.send(16);
    DatagramPacket request = request();
    request.getData()[0]++;
    echo.send(request);
    request.setLength(3);
    echo.send(request);
    request.setLength(16);
    request.getData()[0]--;
    echo.send(request);
    assertTrue(client.receive(LONG_NS));
    assertEquals(new PingTally(1, 1, 0, 0, 0), client.tally());
  }

  @Test
  void aPortWhereNobodyListensLosesRequests() {
    echo.close();
    assertEquals(-1, client.ping(16, 1_000_000));
    assertEquals(-1, client.ping(16, 1_000_000));
    assertEquals(new PingTally(2, 0, 2, 0, 0), client.tally());
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> client.send(PingClient.MIN_BYTES - 1));
    assertThrows(IllegalArgumentException.class, () -> client.send(PingClient.MAX_BYTES + 1));
    assertThrows(
        IllegalArgumentException.class, () -> PingClient.udp(Optional.empty(), LOOPBACK, 9, 0));
    assertEquals(0, client.tally().sent());
  }

  @Test
  void theKernelAnswersEchoRequests() {
    try (PingClient kernel = icmp(Optional.empty())) {
      for (int bytes : new int[] {8, 56, 1472, PingClient.MAX_BYTES}) {
        assertTrue(kernel.ping(bytes, LONG_NS) > 0);
      }
      assertEquals(new PingTally(4, 4, 0, 0, 0), kernel.tally());
      assertTrue(kernel.tally().isExact());
    }
  }

  @Test
  void twoClientsDoNotTakeEachOthersAnswers() {
    try (PingClient one = icmp(Optional.empty());
        PingClient other = icmp(Optional.empty())) {
      for (int i = 0; i < 5; i++) {
        assertTrue(one.ping(16, LONG_NS) > 0);
        assertTrue(other.ping(16, LONG_NS) > 0);
      }
      assertTrue(one.tally().isExact());
      assertTrue(other.tally().isExact());
    }
  }

  @Test
  void aNamespaceHasNetworksOfItsOwn() {
    icmp(Optional.empty()).close();
    try (NetNamespace space = NetNamespace.create()) {
      Optional<Path> netns = Optional.of(Path.of("/proc/self/fd/" + space.descriptor()));
      PosixException refused = assertThrows(PosixException.class, () -> icmp(netns));
      assertTrue(refused.getMessage().contains("127.0.0.1"), refused.getMessage());
    }
  }
}
