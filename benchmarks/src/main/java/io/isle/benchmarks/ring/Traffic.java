package io.isle.benchmarks.ring;

import io.isle.api.fabric.RingEndpoint;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Packets round a ring, one at a time, on a thread of its own, and the longest time between two
 * replies. Each reply must be that of the packet.
 */
final class Traffic implements AutoCloseable {
  private static final long WAIT_NS = 30_000_000_000L;
  private static final int POSITIONS = 1000;

  private final RingEndpoint endpoint;
  private final Thread thread;
  private final AtomicLong replies = new AtomicLong();
  private final AtomicLong longestNs = new AtomicLong();
  private volatile boolean ending;
  private volatile String failure = "";

  Traffic(RingEndpoint endpoint) {
    this.endpoint = endpoint;
    thread = Thread.ofPlatform().daemon().name("traffic").start(this::run);
  }

  private void run() {
    int bytes = endpoint.packetBytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(bytes, 64);
      MemorySegment reply = arena.allocate(bytes, 64);
      long before = System.nanoTime();
      for (int i = 0; !ending && failure.isEmpty(); i++) {
        int position = 1 + i % POSITIONS;
        Packets.header(packet, 0, position, Packets.NEED_REPLY);
        long sent = endpoint.sendNext(packet, 0, bytes, WAIT_NS);
        long got = sent < 0 ? sent : endpoint.recvPrev(reply, 0, bytes, WAIT_NS);
        if (got < 0) {
          failure = "a call of the endpoint returned " + got;
        } else if (Packets.pos(reply, 0) != position) {
          failure = "packet " + Packets.pos(reply, 0) + " came in place of " + position;
        }
        long now = System.nanoTime();
        longestNs.accumulateAndGet(now - before, Math::max);
        before = now;
        replies.getAndIncrement();
      }
    }
  }

  /** Waits for more replies. */
  void await(int more) {
    long wanted = replies.get() + more;
    EmbeddedPlatform.await(
        more + " more replies", () -> replies.get() >= wanted || !failure.isEmpty());
    if (!failure.isEmpty()) {
      throw new IllegalStateException(failure);
    }
  }

  /** The longest pause since the last call, in nanoseconds. */
  long longestPause() {
    return longestNs.getAndSet(0);
  }

  @Override
  public void close() {
    ending = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
