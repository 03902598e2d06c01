package io.isle.benchmarks.ring;

import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.node.RingNode;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.fabric.udp.UdpTransport;
import io.isle.lib.leap.Packets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A process with one node of a ring of two, whose tenant it is: {@code ping|echo TRANSPORT LISTEN
 * NEXT BYTES}. A ping reads commands from its input, {@code rtt N} and {@code send N}, and prints
 * nanoseconds of a packet for each. An echo sends back each packet with a requested reply, or each
 * one that has no room for a header.
 */
final class RingProcess implements AutoCloseable {
  /** Packets on their way before a sender of many waits. */
  private static final long WAIT_NS = 60_000_000_000L;

  private final FabricAgent agent = new FabricAgent(() -> {});
  private final Arena arena = Arena.ofShared();
  private final RingNode node;
  private final RingEndpoint endpoint;
  private final MemorySegment packet;
  private final MemorySegment reply;
  private final int bytes;

  private RingProcess(String name, String transport, String listen, String next, int bytes) {
    this.bytes = bytes;
    packet = arena.allocate(bytes, 64);
    reply = arena.allocate(bytes, 64);
    node =
        new RingNode(
            name,
            NodeSettings.of(
                Map.of(
                    "role",
                    "master",
                    "packet_bytes",
                    Integer.toString(bytes),
                    "listen",
                    transport + "://" + listen,
                    "next",
                    transport + "://" + next,
                    "spin_us",
                    "200000")),
            agent);
    node.attach(transport, transport(transport));
    endpoint = node.open(AnyCapability.INSTANCE, (boundaries, work) -> work.get(), () -> {});
  }

  private static RingTransport transport(String name) {
    return switch (name) {
      case "tcp" -> new TcpTransport();
      case "udp" -> new UdpTransport();
      default -> throw new IllegalArgumentException("no transport " + name);
    };
  }

  public static void main(String[] args) throws IOException {
    try (RingProcess process =
        new RingProcess(args[0], args[1], args[2], args[3], Integer.parseInt(args[4]))) {
      if (args[0].equals("echo")) {
        process.echo();
      } else {
        process.ping();
      }
    }
  }

  private void echo() {
    while (true) {
      long got = endpoint.recvPrev(packet, 0, bytes, RingEndpoint.MAX_TIMEOUT_NS);
      if (got > 0 && isReplied(packet)) {
        require(endpoint.sendNext(packet, 0, bytes, WAIT_NS));
      }
    }
  }

  private boolean isReplied(MemorySegment of) {
    return bytes < Packets.HEADER_BYTES || Packets.flags(of, 0) == Packets.NEED_REPLY;
  }

  private void ping() throws IOException {
    while (node.info().state() != NodeState.RUNNING) {
      flags(Packets.NEED_REPLY);
      if (endpoint.sendNext(packet, 0, bytes, 100_000_000L) > 0) {
        long ignored = endpoint.recvPrev(reply, 0, bytes, 100_000_000L);
      }
    }
    System.out.println("ready");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", -1);
      int count = Integer.parseInt(words[1]);
      long begin = System.nanoTime();
      if (words[0].equals("rtt")) {
        roundTrips(count);
      } else {
        sendAll(count);
      }
      System.out.println((System.nanoTime() - begin) / (double) count);
    }
  }

  private void flags(int flags) {
    if (bytes >= Packets.HEADER_BYTES) {
      Packets.header(packet, 0, 0, flags);
    }
  }

  private void roundTrips(int count) {
    flags(Packets.NEED_REPLY);
    for (int i = 0; i < count; i++) {
      require(endpoint.sendNext(packet, 0, bytes, WAIT_NS));
      require(endpoint.recvPrev(reply, 0, bytes, WAIT_NS));
    }
  }

  /** Packets one way; the last one comes back. */
  private void sendAll(int count) {
    flags(Packets.NO_REPLY);
    for (int i = 1; i < count; i++) {
      require(endpoint.sendNext(packet, 0, bytes, WAIT_NS));
    }
    roundTrips(1);
  }

  private static void require(long result) {
    if (result < 0) {
      throw new IllegalStateException("a call of the endpoint returned " + result);
    }
  }

  @Override
  public void close() {
    node.close();
    agent.close();
    arena.close();
  }
}
