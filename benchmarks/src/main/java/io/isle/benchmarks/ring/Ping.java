package io.isle.benchmarks.ring;

import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The tenant whose packets are measured. */
final class Ping {
  private static final long WAIT_NS = 60_000_000_000L;
  private static final long SHORT_NS = 200_000_000L;

  /** Positions stay below those that look like control messages. */
  private static final int POSITIONS = 1000;

  private final RingEndpoint endpoint;
  private final int bytes;
  private final MemorySegment packet;
  private final MemorySegment reply;
  private volatile long downNs;

  Ping(RingEndpoint endpoint) {
    this.endpoint = endpoint;
    bytes = endpoint.packetBytes();
    packet = Arena.global().allocate(bytes, 64);
    reply = Arena.global().allocate(bytes, 64);
    endpoint.listen(this::changed);
  }

  Map<String, RingProcess.Command> commands() {
    return Map.of(
        "running", any -> running(),
        "rtt", count -> timed(count, this::roundTrips),
        "send", count -> timed(count, this::sendAll),
        "down", any -> down());
  }

  /** Sends packets until the ring runs, and takes all replies. */
  private double running() {
    long end = System.nanoTime() + WAIT_NS;
    while (endpoint.info().state() != NodeState.RUNNING) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException("the ring does not run: " + endpoint.info().links());
      }
      header(0, Packets.NEED_REPLY);
      if (endpoint.sendNext(packet, 0, bytes, SHORT_NS) > 0) {
        long ignored = endpoint.recvPrev(reply, 0, bytes, SHORT_NS);
      }
    }
    while (endpoint.recvPrev(reply, 0, bytes, SHORT_NS) > 0) {
      // replies that came late
    }
    downNs = 0;
    return 0;
  }

  private interface Work {
    void run(int count);
  }

  /** Nanoseconds of each. */
  private static double timed(int count, Work work) {
    long begin = System.nanoTime();
    work.run(count);
    return (System.nanoTime() - begin) / (double) count;
  }

  private void header(int position, int flags) {
    if (bytes >= Packets.HEADER_BYTES) {
      Packets.header(packet, 0, position, flags);
    }
  }

  private void roundTrips(int count) {
    for (int i = 0; i < count; i++) {
      header(1 + i % POSITIONS, Packets.NEED_REPLY);
      require(endpoint.sendNext(packet, 0, bytes, WAIT_NS));
      require(endpoint.recvPrev(reply, 0, bytes, WAIT_NS));
    }
  }

  /** Packets one way; the last one comes back. */
  private void sendAll(int count) {
    header(1, Packets.NO_REPLY);
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

  private void changed(RingNodeInfo node) {
    if (node.state() != NodeState.RUNNING && downNs == 0) {
      downNs = System.nanoTime();
    }
  }

  /** Waits until the ring does not run any more; the time by the clock of the machine. */
  private double down() throws InterruptedException {
    while (downNs == 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    RingNodeInfo now = endpoint.info();
    if (now.next().reason().isEmpty() && now.prev().reason().isEmpty()) {
      throw new IllegalStateException("the node does not run, and gives no reason");
    }
    return downNs;
  }
}
