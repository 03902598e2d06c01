package io.isle.lib.drive;

import io.isle.api.base.Errno;
import io.isle.lib.leap.Packets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Receives replies until none is due any more. {@link #run} is called once. */
final class Receiver {
  /** How long a call waits before the thread looks at the time and whether to stop. */
  private static final long SLICE_NS = 20_000_000;

  /** Most packets of an earlier drive that are thrown away at the begin. */
  private static final int MOST_OLD = 100_000;

  private final MasterPath path;
  private final DrivePlan plan;
  private final Replies replies;
  private final Window window;
  private final DriveCounters counters;
  private final BusyPause busy = new BusyPause();
  private volatile boolean ended;

  Receiver(
      MasterPath path, DrivePlan plan, Replies replies, Window window, DriveCounters counters) {
    this.path = path;
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
  static long drain(MasterPath path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(path.packetBytes());
      for (int old = 0; old < MOST_OLD; old++) {
        long code = path.receive(packet, 0, packet.byteSize(), 0);
        if (code < 0 && code != -Errno.ENODATA && code != -Errno.EINTR) {
          return old;
        }
      }
      return MOST_OLD;
    }
  }

  void run() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(path.packetBytes(), Long.BYTES);
      while (!ended || !window.isEmpty()) {
        long code = path.receive(packet, 0, packet.byteSize(), SLICE_NS);
        if (code >= 0) {
          busy.over();
          arrived(packet);
        } else if (!failed(code)) {
          return;
        }
      }
    }
  }

  private void arrived(MemorySegment packet) throws IOException {
    // without a tail, packets without a requested reply come round, too
    boolean reply = Packets.flags(packet, 0) == Packets.NEED_REPLY;
    long index = reply ? window.replied(Packets.pos(packet, 0), System.nanoTime()) : Window.NONE;
    if (index < 0) {
      counters.stray();
      return;
    }
    replies.reply(plan.noReply() + index, packet, Packets.HEADER_BYTES);
    counters.replied();
    counters.progress();
    window.taken(index);
  }

  /** Returns false when the drive is over. */
  private boolean failed(long code) {
    switch ((int) -code) {
      case Errno.ETIME, Errno.EAGAIN -> window.expire(plan.timeoutNs(), System.nanoTime());
      case Errno.ENODATA -> {
        boolean due = window.lost(path.lastLoss(), System.nanoTime());
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
      default -> {
        if (code != -Errno.EBUSY || !busy.pause()) {
          throw Refusals.of(path, "receiving", code);
        }
      }
    }
    return true;
  }
}
