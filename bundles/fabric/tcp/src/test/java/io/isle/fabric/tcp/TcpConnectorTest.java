package io.isle.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Names;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TcpConnectorTest {
  private static final long MS = 1_000_000L;

  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  private void names(Names names) {
    driver.transport = new TcpTransport(names, () -> driver.vitals);
  }

  private static SockAddr address(String text) throws UnknownHostException {
    return HostPort.parse(text).resolve().getFirst();
  }

  @Test
  void aPathWhoseBytesAreAwaitedIsLookedAtRarely() {
    int number = Driver.freePort();
    ServerSocket server = driver.server(number);
    StreamPort port = driver.connect(number);
    driver.untilUp(port);
    assertTrue(driver.accepted(server).isConnected());
    long now = driver.now();
    assertTrue(port.poll(now) - now <= 100 * MS);
    port.interests((descriptor, events) -> {}, RingPort.READABLE);
    long pause = port.poll(now) - now;
    assertTrue(pause >= 500 * MS && pause <= 1500 * MS, pause + " ns");
    assertTrue(port.poll(now) - now <= 100 * MS, "nobody waits any more");
  }

  @Test
  void theNextNodeMayStartLater() {
    int number = Driver.freePort();
    StreamPort port = driver.connect(number);
    assertEquals(PortState.CONNECTING, port.state());
    assertTrue(
        port.reason().startsWith("next: 127.0.0.1:" + number + ": Connection refused. "),
        port::reason);
    assertEquals(-Errno.ENOTCONN, driver.write(port, "a", false));
    ServerSocket server = driver.server(number);
    driver.untilUp(port);
    assertEquals("", port.reason());
    assertEquals("127.0.0.1:" + number, port.peer().orElseThrow());
    Socket peer = driver.accepted(server);
    assertEquals(3, driver.write(port, "abc", true));
    assertEquals(3, driver.write(port, "def", false));
    assertEquals("abcdef", Driver.receive(peer, 6));
    Driver.send(peer, "back");
    assertEquals("back", driver.read(port, 4));
  }

  @Test
  void attemptsAreSpacedByDelaysThatDouble() {
    StreamPort port = driver.connect(Driver.freePort());
    long now = driver.now();
    List<Long> delays = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      long next = port.poll(now);
      assertEquals(next, port.poll(now), "nothing happens before its time");
      delays.add((next - now) / MS);
      now = next;
    }
    assertTrue(delays.get(1) >= 50 && delays.get(1) <= 100, delays::toString);
    assertTrue(delays.get(3) >= 200 && delays.get(3) <= 400, delays::toString);
    for (long delay : delays.subList(6, 12)) {
      assertTrue(delay >= 1000 && delay <= 2000, delays::toString);
    }
  }

  @Test
  void aConnectionThatIsUpIsTheOnlyOne() throws IOException {
    ServerSocket server = driver.server(0);
    StreamPort port = driver.connect(server.getLocalPort());
    driver.untilUp(port);
    Socket peer = driver.accepted(server);
    driver.pass(30 * Driver.SECOND);
    server.setSoTimeout(1);
    try {
      throw new AssertionError("a second connection from " + server.accept());
    } catch (SocketTimeoutException expected) {
      assertEquals(0, peer.getInputStream().available());
    }
    assertEquals(1, port.paths());
  }

  @Test
  void afterACloseAndAResetTheConnectionIsMadeAgain() throws IOException {
    ServerSocket server = driver.server(0);
    StreamPort port = driver.connect(server.getLocalPort());
    driver.untilUp(port);
    driver.accepted(server).close();
    driver.until("the end", () -> port.state() == PortState.CONNECTING);
    assertTrue(port.reason().endsWith(" closed the connection"), port::reason);
    driver.until("again", () -> port.paths() == 2);
    Driver.reset(driver.accepted(server));
    driver.until("written", () -> driver.write(port, "a", false) == -Errno.ENOTCONN);
    driver.until("again", () -> port.paths() == 3 && port.state() == PortState.UP);
  }

  /** LEAP sends nothing backwards: bytes that nobody reads do not keep an ended path. */
  @Test
  void bytesBackwardsDoNotKeepAnEndedPath() throws IOException {
    ServerSocket server = driver.server(0);
    StreamPort port = driver.connect(server.getLocalPort());
    driver.untilUp(port);
    Socket peer = driver.accepted(server);
    Driver.send(peer, "nobody reads this");
    peer.close();
    driver.until("again", () -> port.paths() == 2);
  }

  @Test
  void aNeighbourThatEndsEachConnectionIsAskedLessAndLess() throws IOException {
    ServerSocket server = driver.server(0);
    StreamPort port = driver.connect(server.getLocalPort());
    driver.untilUp(port);
    long delay = 0;
    for (int i = 0; i < 7; i++) {
      driver.accepted(server).close();
      driver.until("the end", () -> port.state() != PortState.UP);
      long now = driver.now();
      delay = port.poll(now) - now;
      driver.pass(delay + 100 * MS);
      driver.untilUp(port);
    }
    assertTrue(delay >= 900 * MS, delay + " ns after seven ends");
  }

  @Test
  void aNameIsLookedUpForEachAttemptAndItsAddressesAreAllTried() throws IOException {
    ServerSocket server = driver.server(0);
    int number = server.getLocalPort();
    AtomicInteger asked = new AtomicInteger();
    // an attempt waits until the reason of the one before was seen
    Semaphore attempts = new Semaphore(1);
    names(
        host -> {
          assertEquals("node7", host.host());
          attempts.acquireUninterruptibly();
          return switch (asked.incrementAndGet()) {
            case 1 -> throw new UnknownHostException(host.host());
            case 2 -> List.of(address("127.0.0.3:" + number));
            default -> List.of(address("[::1]:" + number), address("127.0.0.1:" + number));
          };
        });
    StreamPort port = driver.open(Driver.spec(RingSide.NEXT, "node7:" + number));
    driver.until("no address", () -> port.reason().contains("the name has no address"));
    attempts.release();
    driver.until("the first address", () -> port.reason().contains("127.0.0.3:" + number));
    attempts.release();
    driver.untilUp(port);
    assertEquals(3, asked.get());
    assertEquals("127.0.0.1:" + number, port.peer().orElseThrow());
  }

  @Test
  void aSlowNameServiceBlocksNoPoll() {
    CountDownLatch answer = new CountDownLatch(1);
    ServerSocket server = driver.server(0);
    names(
        host -> {
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return List.of(address("127.0.0.1:" + host.port()));
        });
    StreamPort port = driver.open(Driver.spec(RingSide.NEXT, "node7:" + server.getLocalPort()));
    driver.pass(20 * Driver.SECOND);
    assertEquals(PortState.CONNECTING, port.state());
    answer.countDown();
    driver.untilUp(port);
  }

  @Test
  void beyondLoopbackThePlaintextSettingIsNamed() {
    StreamPort port = driver.open(Driver.spec(RingSide.NEXT, "192.0.2.1:9999"));
    assertEquals(PortState.FAILED, port.state());
    assertTrue(port.reason().startsWith("next: 192.0.2.1:9999 "), port::reason);
    assertTrue(port.reason().contains("plaintext = true"), port::reason);
    assertEquals(Long.MAX_VALUE, port.poll(driver.now()));
    names(host -> List.of(address("192.0.2.1:9999")));
    StreamPort named = driver.open(Driver.spec(RingSide.NEXT, "node7:9999"));
    driver.until("refused", () -> named.state() == PortState.FAILED);
    assertTrue(named.reason().contains("plaintext = true"), named::reason);
  }

  /** A full queue of connections: the kernel drops what comes, as a firewall does. */
  @Test
  void aPeerThatDoesNotAnswerIsTriedAgain() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      List<StreamPort> ports = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        ports.add(driver.connect(server.getLocalPort()));
      }
      StreamPort last = ports.getLast();
      assertEquals(PortState.CONNECTING, last.state());
      assertEquals("", last.reason());
      driver.pass(4 * Driver.SECOND);
      assertTrue(last.reason().contains(": no answer within 3 s. "), last::reason);
      for (int i = 0; i < 3; i++) {
        driver.accepted(server);
      }
      driver.untilUp(last);
    }
  }

  @Test
  void unansweredDataEndsTheConnectionAfterFiveSeconds() {
    ServerSocket server = driver.server(0);
    StreamPort port = driver.connect(server.getLocalPort());
    driver.untilUp(port);
    driver.vitals.retransmits(TcpListenerTest.pathOf(port), 3);
    driver.pass(4 * Driver.SECOND);
    assertEquals(PortState.UP, port.state());
    driver.pass(2 * Driver.SECOND);
    assertEquals(2, port.paths(), port.state() + port.reason());
  }

  /** The peer reads nothing for a minute, and answers the probes of its full window. */
  @Test
  void aFullWindowIsBackPressure() {
    ServerSocket server = driver.server(0);
    StreamPort port = driver.connect(server.getLocalPort());
    driver.untilUp(port);
    Socket peer = driver.accepted(server);
    long[] sent = {0};
    driver.until(
        "full",
        () -> {
          long written = port.write(driver.memory(), 0, driver.memory().byteSize(), false);
          sent[0] += Math.max(0, written);
          return written == -Errno.EAGAIN;
        });
    KernelVitals vitals = new KernelVitals();
    int path = TcpListenerTest.pathOf(port);
    long start = System.nanoTime();
    // long enough for the first probes of the window
    driver.until("probes", () -> System.nanoTime() - start > 900 * MS);
    driver.pass(60 * Driver.SECOND);
    assertEquals(PortState.UP, port.state(), port.reason());
    assertEquals(0, vitals.read(path));
    assertEquals(1, port.paths());
    Thread reader = Thread.ofPlatform().start(() -> Driver.receive(peer, Math.toIntExact(sent[0])));
    driver.until("room", () -> driver.write(port, "a", false) == 1);
    driver.until("all read", () -> !reader.isAlive());
  }

  @Test
  void connectionsDelayNoSmallPacketAndAreProbed() {
    ServerSocket server = driver.server(0);
    StreamPort port = driver.connect(server.getLocalPort());
    driver.untilUp(port);
    SocketOptions options = new SocketOptions();
    int path = TcpListenerTest.pathOf(port);
    assertEquals(1, options.get(path, SocketOption.TCP_NODELAY));
    assertEquals(1, options.get(path, SocketOption.SO_KEEPALIVE));
    assertEquals(1, options.get(path, SocketOption.TCP_KEEPIDLE));
    assertEquals(1, options.get(path, SocketOption.TCP_KEEPINTVL));
    assertEquals(3, options.get(path, SocketOption.TCP_KEEPCNT));
    StreamPort listener = driver.listen("127.0.0.1");
    Driver.send(driver.peerOf(listener), "a");
    driver.untilUp(listener);
    int accepted = TcpListenerTest.pathOf(listener);
    assertEquals(1, options.get(accepted, SocketOption.TCP_NODELAY));
    assertEquals(1, options.get(accepted, SocketOption.TCP_KEEPIDLE));
    assertEquals(3, options.get(accepted, SocketOption.TCP_KEEPCNT));
  }

  /** A connect to a free port of this machine may meet itself. */
  @Test
  void aConnectionToItselfIsRecognised() throws UnknownHostException {
    TcpKernel kernel = new TcpKernel(new KernelVitals());
    int socket = kernel.sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM);
    kernel.sockets.bind(socket, address("127.0.0.1:0"));
    SockAddr own = new SockAddr();
    kernel.sockets.localAddress(socket, own);
    kernel.sockets.connect(socket, own);
    assertTrue(kernel.isOwn(socket));
    kernel.close(socket);
  }

  @Test
  void aPortThatConnectsWaitsForTheOutcome() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      List<StreamPort> ports = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        ports.add(driver.connect(server.getLocalPort()));
      }
      int[] events = {0};
      ports.getLast().interests((fd, what) -> events[0] = what, 0);
      assertEquals(RingPort.WRITABLE, events[0]);
    }
  }
}
