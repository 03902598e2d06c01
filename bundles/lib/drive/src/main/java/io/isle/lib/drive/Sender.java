package io.isle.lib.drive;

import io.isle.api.base.Errno;
import io.isle.lib.leap.Packets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Sends payloads, as many as the window has room for, and lost ones again. Makes changes of the
 * ring between two packets. {@link #run} is called once.
 */
final class Sender {
  /** How long a call waits before the thread looks whether to stop. */
  private static final long SLICE_NS = 100_000_000;

  private final MasterPath path;
  private final DrivePlan plan;
  private final Payloads payloads;
  private final Optional<KeptPayloads> kept;
  private final Window window;
  private final Changes changes;
  private final DriveCounters counters;
  private final BusyPause busy = new BusyPause();
  private final int payloadBytes;

  /** Index of the next new packet. */
  private long fresh;

  Sender(
      MasterPath path,
      DrivePlan plan,
      Payloads payloads,
      Optional<KeptPayloads> kept,
      Window window,
      Changes changes,
      DriveCounters counters) {
    this.path = path;
    this.plan = plan;
    this.payloads = payloads;
    this.kept = kept;
    this.window = window;
    this.changes = changes;
    this.counters = counters;
    payloadBytes = path.packetBytes() - Packets.HEADER_BYTES;
  }

  /** Waits for the next payload; a wait does not count as time without progress. */
  private boolean next() throws IOException, InterruptedException {
    counters.reads(true);
    try {
      boolean more = payloads.next();
      if (more && fresh == Integer.MAX_VALUE) {
        throw new DriveException(
            Errno.ERANGE, "the input needs more than " + fresh + " packets; split the input");
      }
      return more;
    } finally {
      counters.reads(false);
    }
  }

  /** Sends all payloads; ends early when the window is stopped or the thread is interrupted. */
  void run() throws IOException, InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(Packets.HEADER_BYTES);
      boolean more = next();
      while (more && fresh < plan.noReply()) {
        if (!sendNew(header, Packets.NO_REPLY)) {
          return;
        }
        counters.progress();
        more = next();
      }
      while (!window.isStopped()) {
        boolean wanted = more;
        long index = window.begin(() -> wanted && !changes.isWaiting());
        if (index != Window.NONE) {
          boolean isNew = plan.noReply() + index == fresh;
          if (!(isNew ? sendNew(header, Packets.NEED_REPLY) : sendAgain(header, index))) {
            return;
          }
          window.sent(index, System.nanoTime());
          more = isNew ? next() : more;
        } else if (changes.isWaiting()) {
          changes.runNext();
        } else if (!more && changes.end()) {
          return;
        }
      }
    }
  }

  private boolean sendNew(MemorySegment header, int flags) {
    if (flags == Packets.NEED_REPLY && kept.isPresent()) {
      kept.get().keep(fresh, payloads.memory(), payloads.offset());
    }
    return send(header, fresh++, flags, payloads.memory(), payloads.offset());
  }

  private boolean sendAgain(MemorySegment header, long index) {
    KeptPayloads old = kept.orElseThrow();
    long packet = plan.noReply() + index;
    return send(header, packet, Packets.NEED_REPLY, old.memory(), old.offset(packet));
  }

  /** Returns false when the drive is over. */
  private boolean send(
      MemorySegment header, long packet, int flags, MemorySegment payload, long offset) {
    int position = plan.positions().at(packet);
    Packets.header(header, 0, position, flags);
    while (!window.isStopped()) {
      long code = path.send(header, Packets.HEADER_BYTES, payload, offset, payloadBytes, SLICE_NS);
      if (code >= 0) {
        busy.over();
        counters.sent();
        return true;
      }
      switch ((int) -code) {
        case Errno.ETIME, Errno.EAGAIN -> {}
        case Errno.EINTR -> {
          // the packet may arrive or not: its reply tells
          counters.broken(1);
          counters.sent();
          return true;
        }
        case Errno.ECANCELED -> {
          return false;
        }
        default -> {
          if (code != -Errno.EBUSY || !busy.pause()) {
            throw Refusals.of(path, "sending position " + position, code);
          }
        }
      }
    }
    return false;
  }
}
