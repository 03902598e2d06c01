package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.banks.BankLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Drives ports as a ring does, one thread for all, under a clock that flows with the real one and
 * can be put forward. Owns ports and peers.
 */
final class Driver implements AutoCloseable {
  static final long SECOND = 1_000_000_000L;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  final String name = "test-" + UUID.randomUUID();
  ShmTransport transport = new ShmTransport(Users.SYSTEM);
  private final List<BankPort> ports = new ArrayList<>();
  private final List<RawPeer> peers = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(1 << 18);
  private long ahead = 5 * SECOND;

  static PortSpec spec(RingSide side, String name) {
    return spec(side, name, Dialect.ISLE, 264);
  }

  static PortSpec spec(RingSide side, String name, Dialect dialect, int packetBytes) {
    return new PortSpec(
        "a", side, name, "", dialect, packetBytes, "", List.of(), false, 0, Map.of());
  }

  BankPort open(PortSpec spec) {
    BankPort port = (BankPort) transport.open(spec);
    ports.add(port);
    poll();
    return port;
  }

  BankPort listen() {
    return open(spec(RingSide.PREV, name));
  }

  BankPort connect() {
    return open(spec(RingSide.NEXT, name));
  }

  BankPort adopt(PortSpec spec, ParkedPort parked) {
    BankPort port = (BankPort) transport.adopt(spec, parked).orElseThrow();
    ports.add(port);
    poll();
    return port;
  }

  /** A peer without Isle's own code for connections, connected to a listener. */
  RawPeer peer() {
    RawPeer peer = RawPeer.connect(name);
    peers.add(peer);
    return peer;
  }

  void own(RawPeer peer) {
    peers.add(peer);
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

  void untilUp(BankPort port) {
    until("up", () -> port.state() == PortState.UP);
  }

  private static String text(RingPort port) {
    return port.state() + " '" + port.reason() + "' paths " + port.paths();
  }

  /** Sends a frame; its length or a code. */
  int send(BankPort port, String text) {
    int code = port.claim();
    if (code != 0) {
      return code;
    }
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(bytes, 0, port.bank(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    return port.publish(bytes.length);
  }

  /**
   * Sends frames for two turns of all banks, and checks that none of them enters or prepares a
   * bank.
   *
   * @return empty frames, which come in the place of the bank
   */
  int passedBy(MemorySegment bank, BankPort from, BankPort to) {
    bank.fill((byte) 7);
    int empty = 0;
    String large = "a".repeat(1000);
    for (int i = 0; i < 2 * BankLayout.BANKS + 2; i++) {
      assertEquals(large.length(), send(from, large));
      String got = receive(to);
      if (got.isEmpty()) {
        empty++;
        got = receive(to);
      }
      assertEquals(large, got);
    }
    for (int i = 0; i < large.length(); i++) {
      assertEquals(7, bank.get(ValueLayout.JAVA_BYTE, i), "the bank was written");
    }
    return empty;
  }

  /** The next frame as soon as it is there. */
  String receive(BankPort port) {
    until("a frame", () -> port.next() != -Errno.EAGAIN);
    int length = port.next();
    if (length < 0) {
      return Errno.name(-length);
    }
    byte[] bytes = new byte[length];
    port.copy(0, memory, 8, length);
    int code = port.take();
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 8, bytes, 0, length);
    return code == 0 ? new String(bytes, StandardCharsets.US_ASCII) : Errno.name(-code);
  }

  MemorySegment memory() {
    return memory;
  }

  /** Descriptors of this process. */
  static long descriptors() {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Mappings of segments of this process. */
  static long mappings() {
    try (Stream<String> all = Files.lines(Path.of("/proc/self/maps"))) {
      return all.filter(line -> line.contains("isle-ring")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port no longer belongs to the driver. */
  void forget(BankPort port) {
    ports.remove(port);
  }

  @Override
  public void close() {
    ports.forEach(BankPort::close);
    ports.forEach(BankPort::revoke);
    peers.forEach(RawPeer::close);
    arena.close();
  }
}
