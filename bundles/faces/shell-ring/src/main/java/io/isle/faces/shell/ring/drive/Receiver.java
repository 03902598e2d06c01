package io.isle.faces.shell.ring.drive;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Receives replies until none is due any more. {@link #run} is called once. */
final class Receiver {
  /** How long a call waits before the thread looks at the time and whether to stop. */
  private static final long SLICE_NS = 20_000_000;

  /** Most packets of an earlier drive that are thrown away at the begin. */
  private static final int MOST_OLD = 100_000;

  private final RingEndpoint endpoint;
  private final DrivePlan plan;
  private final Replies replies;
  private final Window window;
  private final DriveCounters counters;
  private volatile boolean ended;

  Receiver(
      RingEndpoint endpoint,
      DrivePlan plan,
      Replies replies,
      Window window,
      DriveCounters counters) {
    this.endpoint = endpoint;
    this.plan = plan;
    this.replies = replies;
    this.window = window;
    this.counters = counters;
  }

  /** No further packet begins: {@link #run} returns once no reply is due. */
  void end() {
    ended = true;
  }

  /**
   * Throws away what an earlier drive left here. Called before the first packet is sent.
   *
   * @return number of packets
   */
  static long drain(RingEndpoint endpoint) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(endpoint.packetBytes());
      for (int old = 0; old < MOST_OLD; old++) {
        long code = endpoint.recvPrev(packet, 0, packet.byteSize(), 0);
        if (code < 0 && code != -Errno.ENODATA && code != -Errno.EINTR) {
          return old;
        }
      }
      return MOST_OLD;
    }
  }

  void run() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(endpoint.packetBytes(), Long.BYTES);
      while (!ended || !window.isEmpty()) {
        long code = endpoint.recvPrev(packet, 0, packet.byteSize(), SLICE_NS);
        if (code >= 0) {
          arrived(packet);
        } else if (!failed(code)) {
          return;
        }
      }
    }
  }

  private void arrived(MemorySegment packet) throws IOException {
    // without a tail, packets without a requested reply come round, too
    boolean reply = Packets.flags(packet) == Packets.NEED_REPLY;
    long index = reply ? window.replied(Packets.position(packet), System.nanoTime()) : -1;
    if (index < 0) {
      counters.stray();
      return;
    }
    replies.reply(plan.noReply() + index, packet, Packets.HEADER);
    counters.replied();
    counters.progress();
  }

  /** Returns false when the drive is over. */
  private boolean failed(long code) {
    switch ((int) -code) {
      case Errno.ETIME, Errno.EAGAIN -> window.expire(plan.timeoutNs(), System.nanoTime());
      case Errno.ENODATA -> {
        boolean due = window.lost(endpoint.lastLoss(), System.nanoTime());
        if (due) {
          counters.progress();
        } else {
          counters.stray();
        }
      }
      case Errno.EINTR -> counters.broken(1);
      case Errno.ECANCELED -> {
        return false;
      }
      default -> throw Refusals.of(endpoint, "receiving", code);
    }
    return true;
  }
}
