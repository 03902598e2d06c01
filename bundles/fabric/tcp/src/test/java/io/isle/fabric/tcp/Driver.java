package io.isle.fabric.tcp;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.net.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  final FakeVitals vitals = new FakeVitals();
  TcpTransport transport = new TcpTransport(Names.SYSTEM, () -> vitals);
  private final List<StreamPort> ports = new ArrayList<>();
  private final List<AutoCloseable> peers = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(1 << 20);
  private long ahead = 5 * SECOND;

  static PortSpec spec(RingSide side, String address) {
    return spec(side, address, List.of(), false);
  }

  static PortSpec spec(RingSide side, String address, List<String> allow, boolean plaintext) {
    return new PortSpec(
        "a", side, address, "", Dialect.LEAP, 264, "", allow, plaintext, 8 << 20, Map.of());
  }

  StreamPort open(PortSpec spec) {
    StreamPort port = (StreamPort) transport.open(spec);
    ports.add(port);
    poll();
    return port;
  }

  /** A listener on a port of the kernel's choice. */
  StreamPort listen(String host) {
    return open(spec(RingSide.PREV, host + ":0"));
  }

  StreamPort connect(int port) {
    return open(spec(RingSide.NEXT, "127.0.0.1:" + port));
  }

  StreamPort adopt(PortSpec spec, io.isle.api.fabric.ParkedPort parked) {
    StreamPort port = (StreamPort) transport.adopt(spec, parked).orElseThrow();
    ports.add(port);
    poll();
    return port;
  }

  /** The address that a listener is bound to. */
  static String bound(StreamPort listener) {
    String note = listener.notes().getFirst();
    return note.substring(note.indexOf(" on ") + 4);
  }

  static int number(StreamPort listener) {
    String bound = bound(listener);
    return Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1));
  }

  Socket peerOf(StreamPort listener) {
    String bound = bound(listener);
    try {
      Socket socket = new Socket(bound.startsWith("[") ? "::1" : "127.0.0.1", number(listener));
      socket.setTcpNoDelay(true);
      peers.add(socket);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A plain server, as the next node. */
  ServerSocket server(int port) {
    try {
      ServerSocket server = new ServerSocket(port, 16, InetAddress.getByName("127.0.0.1"));
      peers.add(server);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Socket accepted(ServerSocket server) {
    try {
      server.setSoTimeout((int) PATIENCE.toMillis());
      Socket socket = server.accept();
      peers.add(socket);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A port that nobody listens on. */
  static int freePort() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return server.getLocalPort();
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

  void untilUp(StreamPort port) {
    until("up", () -> port.state() == PortState.UP);
  }

  private static String text(RingPort port) {
    return port.state() + " '" + port.reason() + "' paths " + port.paths();
  }

  /** Reads exactly as many bytes as text. */
  String read(StreamPort port, int bytes) {
    byte[] all = new byte[bytes];
    int[] count = {0};
    until(
        bytes + " bytes",
        () -> {
          long read = port.read(memory, 7, bytes - count[0]);
          if (read > 0) {
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 7, all, count[0], (int) read);
            count[0] += (int) read;
          }
          return count[0] == bytes;
        });
    return new String(all, 0, count[0], StandardCharsets.US_ASCII);
  }

  long write(StreamPort port, String text, boolean more) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 3, bytes.length);
    return port.write(memory, 3, bytes.length, more);
  }

  MemorySegment memory() {
    return memory;
  }

  static void send(Socket peer, String text) {
    try {
      peer.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String receive(Socket peer, int bytes) {
    try {
      peer.setSoTimeout((int) PATIENCE.toMillis());
      return new String(peer.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void reset(Socket peer) {
    try {
      peer.setSoLinger(true, 0);
      peer.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port no longer belongs to the driver. */
  void forget(StreamPort port) {
    ports.remove(port);
  }

  @Override
  public void close() {
    ports.forEach(StreamPort::close);
    for (AutoCloseable peer : peers) {
      try {
        peer.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    arena.close();
  }
}
