package io.isle.faces.shell.ring.drive;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Sends payloads, as many as the window has room for. {@link #run} is called once. */
final class Sender {
  /** How long a call waits before the thread looks whether to stop. */
  private static final long SLICE_NS = 100_000_000;

  private final RingEndpoint endpoint;
  private final DrivePlan plan;
  private final Payloads payloads;
  private final Window window;
  private final DriveCounters counters;

  Sender(
      RingEndpoint endpoint,
      DrivePlan plan,
      Payloads payloads,
      Window window,
      DriveCounters counters) {
    this.endpoint = endpoint;
    this.plan = plan;
    this.payloads = payloads;
    this.window = window;
    this.counters = counters;
  }

  /** Sends all payloads; ends early when the window is stopped or the thread is interrupted. */
  void run() throws IOException, InterruptedException {
    int payloadBytes = endpoint.packetBytes() - Packets.HEADER;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(Packets.HEADER);
      for (long index = 0; next(index); index++) {
        boolean reply = index >= plan.noReply();
        if (reply && !window.begin()) {
          return;
        }
        int position = plan.positions().at(index);
        Packets.header(header, position, reply ? Packets.NEED_REPLY : Packets.NO_REPLY);
        if (!send(header, position, payloadBytes)) {
          return;
        }
        if (reply) {
          window.sent(System.nanoTime());
        } else {
          counters.progress();
        }
        counters.sent();
      }
    }
  }

  /** Waits for the next payload; the time of the wait is none without progress. */
  private boolean next(long index) throws IOException, InterruptedException {
    counters.reads(true);
    try {
      boolean more = payloads.next();
      if (more && index == Integer.MAX_VALUE) {
        throw ShellException.failed("the input needs more than " + index + " packets");
      }
      return more;
    } finally {
      counters.reads(false);
    }
  }

  /** Returns false when the drive is over. */
  private boolean send(MemorySegment header, int position, int payloadBytes) {
    while (!window.isStopped()) {
      long code =
          endpoint.sendNext(
              header, Packets.HEADER, payloads.memory(), payloads.offset(), payloadBytes, SLICE_NS);
      if (code >= 0) {
        return true;
      }
      switch ((int) -code) {
        case Errno.ETIME, Errno.EAGAIN -> {}
        case Errno.EINTR -> {
          // the packet may arrive or not: its reply tells
          counters.broken(1);
          return true;
        }
        case Errno.ECANCELED -> {
          return false;
        }
        default -> throw Refusals.of(endpoint, "sending position " + position, code);
      }
    }
    return false;
  }
}
