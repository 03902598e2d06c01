package io.isle.fabric.impair;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays between sockets of the loopback interface. */
@Timeout(60)
class RelayTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final int WAIT_MS = 10_000;

  private static ImpairSettings settings(String transport, int listen, int to, String... more) {
    return ImpairSettings.of(Given.map(transport, listen, to, more));
  }

  private static void awaitUp(RelayThread relay) {
    while (!relay.info().up()) {
      Thread.onSpinWait();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, HERE)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void datagramsGoThereAndRepliesComeBack() throws Exception {
    try (DatagramSocket sender = new DatagramSocket(0, HERE);
        DatagramSocket target = new DatagramSocket(0, HERE);
        RelayThread relay =
            new RelayThread("r", settings("udp", freePort(), target.getLocalPort()))) {
      sender.setSoTimeout(WAIT_MS);
      target.setSoTimeout(WAIT_MS);
      awaitUp(relay);
      int port = relay.settings().way().listenAt().port();
      byte[] bytes = new byte[1412];
      new Random(1).nextBytes(bytes);
      sender.send(new DatagramPacket(bytes, bytes.length, HERE, port));
      DatagramPacket got = new DatagramPacket(new byte[2000], 2000);
      target.receive(got);
      assertArrayEquals(bytes, Arrays.copyOf(got.getData(), got.getLength()));
      target.send(new DatagramPacket(new byte[] {7}, 1, got.getSocketAddress()));
      DatagramPacket reply = new DatagramPacket(new byte[10], 10);
      sender.receive(reply);
      assertEquals(7, reply.getData()[0]);
      assertEquals(port, reply.getPort());
      while (relay.info().passed() < 2) {
        Thread.onSpinWait();
      }
      assertEquals(bytes.length + 1, relay.info().bytes());
    }
  }

  @Test
  void aForeignReplyIsNotPassedOn() throws Exception {
    try (DatagramSocket sender = new DatagramSocket(0, HERE);
        DatagramSocket target = new DatagramSocket(0, HERE);
        DatagramSocket foreign = new DatagramSocket(0, HERE);
        RelayThread relay =
            new RelayThread("r", settings("udp", freePort(), target.getLocalPort()))) {
      awaitUp(relay);
      int port = relay.settings().way().listenAt().port();
      target.setSoTimeout(WAIT_MS);
      sender.send(new DatagramPacket(new byte[] {1}, 1, HERE, port));
      DatagramPacket got = new DatagramPacket(new byte[10], 10);
      target.receive(got);
      foreign.send(new DatagramPacket(new byte[] {2}, 1, got.getSocketAddress()));
      target.send(new DatagramPacket(new byte[] {3}, 1, got.getSocketAddress()));
      sender.setSoTimeout(WAIT_MS);
      sender.receive(got);
      assertEquals(3, got.getData()[0]);
    }
  }

  private static Socket connect(RelayThread relay) throws IOException {
    awaitUp(relay);
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(HERE, relay.settings().way().listenAt().port()), WAIT_MS);
    socket.setSoTimeout(WAIT_MS);
    return socket;
  }

  @Test
  void aStreamGoesThroughAndEndsInBothDirections() throws Exception {
    byte[] bytes = new byte[3 << 20];
    new Random(2).nextBytes(bytes);
    try (ServerSocket target = new ServerSocket(0, 1, HERE);
        RelayThread relay =
            new RelayThread(
                "r",
                settings(
                    "tcp", freePort(), target.getLocalPort(), "delay_ms", "5", "jitter_ms", "3"));
        Socket sender = connect(relay);
        Socket accepted = target.accept()) {
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      sender.getOutputStream().write(bytes);
                      sender.shutdownOutput();
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      assertArrayEquals(bytes, accepted.getInputStream().readAllBytes());
      accepted.getOutputStream().write(9);
      accepted.shutdownOutput();
      assertEquals(9, sender.getInputStream().read());
      assertEquals(-1, sender.getInputStream().read());
      writer.join();
      while (relay.info().connections() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aCutIsAResetOfBothSides() throws Exception {
    try (ServerSocket target = new ServerSocket(0, 1, HERE);
        RelayThread relay =
            new RelayThread("r", settings("tcp", freePort(), target.getLocalPort()));
        Socket sender = connect(relay);
        Socket accepted = target.accept()) {
      sender.getOutputStream().write(1);
      assertEquals(1, accepted.getInputStream().read());
      relay.cut();
      accepted.setSoTimeout(WAIT_MS);
      assertThrows(SocketException.class, () -> accepted.getInputStream().read());
      assertThrows(SocketException.class, () -> sender.getInputStream().read());
      assertEquals(1, relay.info().cuts());
    }
  }

  @Test
  void aConnectionIsCutAfterItsBytes() throws Exception {
    try (ServerSocket target = new ServerSocket(0, 1, HERE);
        RelayThread relay =
            new RelayThread(
                "r",
                settings("tcp", freePort(), target.getLocalPort(), "cut_every_bytes", "100k"));
        Socket sender = connect(relay);
        Socket accepted = target.accept()) {
      accepted.setSoTimeout(WAIT_MS);
      DataInputStream in = new DataInputStream(accepted.getInputStream());
      assertThrows(
          IOException.class,
          () -> {
            while (true) {
              sender.getOutputStream().write(new byte[10_000]);
              in.readFully(new byte[10_000]);
            }
          });
      while (relay.info().cuts() == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aBlackHoleKeepsTheConnectionAndStopsItsBytes() throws Exception {
    try (ServerSocket target = new ServerSocket(0, 1, HERE);
        RelayThread relay =
            new RelayThread("r", settings("tcp", freePort(), target.getLocalPort()));
        Socket sender = connect(relay);
        Socket accepted = target.accept()) {
      int listen = relay.settings().way().listenAt().port();
      sender.getOutputStream().write(1);
      assertEquals(1, accepted.getInputStream().read());
      relay.change(settings("tcp", listen, target.getLocalPort(), "black_hole", "both"));
      accepted.setSoTimeout(200);
      sender.getOutputStream().write(2);
      assertThrows(SocketTimeoutException.class, () -> accepted.getInputStream().read());
      relay.change(settings("tcp", listen, target.getLocalPort()));
      accepted.setSoTimeout(WAIT_MS);
      assertEquals(2, accepted.getInputStream().read());
    }
  }

  @Test
  void anAddressInUseIsNamedAndTakenLater() throws Exception {
    try (ServerSocket target = new ServerSocket(0, 1, HERE)) {
      ServerSocket holder = new ServerSocket(0, 1, HERE);
      try (RelayThread relay =
          new RelayThread("r", settings("tcp", holder.getLocalPort(), target.getLocalPort()))) {
        while (!relay.info().reason().contains("listen: ")) {
          Thread.onSpinWait();
        }
        assertTrue(relay.info().reason().contains("" + holder.getLocalPort()));
        holder.close();
        awaitUp(relay);
        assertEquals("", relay.info().reason());
      } finally {
        holder.close();
      }
    }
  }

  @Test
  void aTargetThatNobodyListensOnResetsTheConnection() throws Exception {
    try (RelayThread relay = new RelayThread("r", settings("tcp", freePort(), freePort()))) {
      awaitUp(relay);
      // the reset may arrive before the connecting side has returned
      SocketException end =
          assertThrows(
              SocketException.class,
              () -> {
                try (Socket sender = connect(relay)) {
                  int ignored = sender.getInputStream().read();
                }
              });
      assertFalse(end instanceof ConnectException, "the relay itself does not listen: " + end);
    }
  }
}
