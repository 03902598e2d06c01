package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.lib.net.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Drives ports as a ring does, one thread for all, under a clock that flows with the real one and
 * can be put forward. Owns ports and peers.
 */
final class Driver implements AutoCloseable {
  static final long SECOND = 1_000_000_000L;
  static final int ROOM = 1 << 16;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  final FakeDatagrams calls = new FakeDatagrams();
  UdpTransport transport = new UdpTransport(Names.SYSTEM, () -> calls);
  private final List<DatagramPort> ports = new ArrayList<>();
  private final List<DatagramSocket> peers = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  final MemorySegment out = arena.allocate(1 << 18);
  final MemorySegment in = arena.allocate(1 << 18);
  private long ahead = 5 * SECOND;

  /** Settings that a test changes before it opens a port. */
  String source = "";

  List<String> allow = List.of();
  boolean plaintext;

  /** Of a packet: up to 1400, each is one datagram. */
  int packetBytes = 4000;

  Dialect dialect = Dialect.LEAP;

  PortSpec spec(String node, RingSide side, String address, String local) {
    return new PortSpec(
        node,
        side,
        address,
        local,
        dialect,
        packetBytes,
        source,
        allow,
        plaintext,
        8 << 20,
        Map.of());
  }

  PortSpec listens(String node, String address) {
    return spec(node, RingSide.PREV, address, "");
  }

  PortSpec sends(String node, int port) {
    return spec(node, RingSide.NEXT, "127.0.0.1:" + port, "");
  }

  DatagramPort open(PortSpec spec) {
    DatagramPort port = (DatagramPort) transport.open(spec);
    ports.add(port);
    poll();
    return port;
  }

  DatagramPort adopt(PortSpec spec, ParkedPort parked) {
    DatagramPort port = (DatagramPort) transport.adopt(spec, parked).orElseThrow();
    ports.add(port);
    poll();
    return port;
  }

  /** The port that a listening port is bound to. */
  static int number(DatagramPort port) {
    String bound = port.notes().getFirst();
    return Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1));
  }

  /** A socket of another program. */
  DatagramSocket peer() {
    return peer("127.0.0.1", 0);
  }

  DatagramSocket peer(String host, int port) {
    try {
      DatagramSocket socket = new DatagramSocket(port, InetAddress.getByName(host));
      socket.setSoTimeout((int) PATIENCE.toMillis());
      peers.add(socket);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void send(DatagramSocket from, int port, String text) {
    send(from, port, text.getBytes(StandardCharsets.US_ASCII));
  }

  static void send(DatagramSocket from, int port, byte[] bytes) {
    try {
      InetSocketAddress to = new InetSocketAddress(from.getLocalAddress(), port);
      from.send(new DatagramPacket(bytes, bytes.length, to));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next datagram: its source port and its text. */
  static String receive(DatagramSocket at) {
    try {
      DatagramPacket packet = new DatagramPacket(new byte[ROOM], ROOM);
      at.receive(packet);
      return packet.getPort()
          + " "
          + new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A port that nobody is bound to. */
  static int freePort() {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long now() {
    return System.nanoTime() + ahead;
  }

  /** Puts the clock forward and polls at each tenth of a second, as the ring would. */
  void pass(long nanoseconds) {
    for (long passed = 0; passed < nanoseconds; passed += SECOND / 10) {
      ahead += SECOND / 10;
      poll();
    }
  }

  void poll() {
    ports.forEach(port -> port.poll(now()));
  }

  void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      poll();
      if (condition.getAsBoolean()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "not in time: " + what + "; " + ports.stream().map(Driver::text).toList());
      }
      Thread.onSpinWait();
    }
  }

  void untilUp(DatagramPort port) {
    until("up", () -> port.state() == PortState.UP);
  }

  private static String text(RingPort port) {
    return port.state() + " '" + port.reason() + "' paths " + port.paths() + " " + port.notes();
  }

  /** Receives the next datagrams as text, and accepts their source. */
  String receive(DatagramPort port) {
    String text = look(port);
    port.accept(now());
    return text;
  }

  /** Receives the next datagrams as text, which have no valid one. */
  String look(DatagramPort port) {
    long[] bytes = {0};
    until("datagrams", () -> (bytes[0] = port.receive(in, 5, ROOM)) != -Errno.EAGAIN);
    if (bytes[0] <= 0) {
      throw new AssertionError("receive: " + bytes[0]);
    }
    return new String(
        in.asSlice(5, bytes[0]).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
  }

  boolean isQuiet(DatagramPort port) {
    return port.receive(in, 0, ROOM) == -Errno.EAGAIN;
  }

  long send(DatagramPort port, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(bytes, 0, out, ValueLayout.JAVA_BYTE, 3, bytes.length);
    return port.send(out, 3, bytes.length, UdpSettings.DATAGRAM);
  }

  void forget(DatagramPort port) {
    ports.remove(port);
  }

  @Override
  public void close() {
    ports.forEach(DatagramPort::close);
    peers.forEach(DatagramSocket::close);
    arena.close();
  }
}
