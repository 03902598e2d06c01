package io.isle.benchmarks.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A tenant that sends back each packet with a requested reply, and each one that has no room for a
 * header.
 */
final class Echo {
  private final RingEndpoint endpoint;

  private Echo(RingEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Starts a thread, which ends with the endpoint. */
  static void start(RingEndpoint endpoint) {
    Thread ignored = Thread.ofPlatform().daemon().name("echo").start(new Echo(endpoint)::run);
  }

  private void run() {
    int bytes = endpoint.packetBytes();
    MemorySegment packet = Arena.global().allocate(bytes, 64);
    long got = 0;
    while (got != -Errno.ECLOSED) {
      got = endpoint.recvPrev(packet, 0, bytes, RingEndpoint.MAX_TIMEOUT_NS);
      boolean replied =
          got > 0
              && (bytes < Packets.HEADER_BYTES || Packets.flags(packet, 0) == Packets.NEED_REPLY);
      if (replied) {
        got = endpoint.sendNext(packet, 0, bytes, RingEndpoint.MAX_TIMEOUT_NS);
      }
    }
  }
}
