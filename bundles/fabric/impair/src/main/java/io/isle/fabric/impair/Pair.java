package io.isle.fabric.impair;

import static io.isle.api.base.Errno.EAGAIN;

import io.isle.fabric.impair.ImpairSettings.Faults;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SocketIo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A connection of a stream relay: a socket to the peer that connected, and one to the target. */
final class Pair {
  private static final int PIECE_BYTES = 64 << 10;

  /** Pieces of one call, so that one connection does not stop the others. */
  private static final int BATCH = 16;

  /** One direction: from one socket to the other. */
  private static final class Way {
    final int from;
    final int to;
    final Lane lane;

    /** Bytes of the first due piece that are written. */
    int written;

    /** The sender has ended its direction. */
    boolean ended;

    /** That end is passed on. */
    boolean over;

    /** Whether the receiver had no room. */
    boolean full;

    Way(int from, int to, Lane lane) {
      this.from = from;
      this.to = to;
      this.lane = lane;
    }
  }

  private final Endpoints endpoints;
  private final SocketIo io;
  private final MemorySegment buffer;
  private final Way forward;
  private final Way backward;
  private final Tally tally;
  private long untilCut;
  private boolean broken;

  /**
   * @param buffer for {@link #PIECE_BYTES}
   */
  Pair(
      Endpoints endpoints,
      SocketIo io,
      MemorySegment buffer,
      int front,
      int back,
      Faults faults,
      Tally tally) {
    this.endpoints = endpoints;
    this.io = io;
    this.buffer = buffer;
    this.tally = tally;
    forward = new Way(front, back, new Lane(false, true, faults, tally));
    backward = new Way(back, front, new Lane(false, false, faults, tally));
    untilCut = forward.lane.drawCut();
  }

  static MemorySegment buffer(Arena arena) {
    return arena.allocate(PIECE_BYTES, 8);
  }

  void faults(Faults next) {
    forward.lane.faults(next);
    backward.lane.faults(next);
    untilCut = forward.lane.drawCut();
  }

  /** Passes on what has come and what is due. */
  void work(long nowNs) {
    read(forward, nowNs);
    read(backward, nowNs);
    write(forward, nowNs);
    write(backward, nowNs);
  }

  /** Whether the connection has ended, and its sockets may be closed. */
  boolean isOver() {
    return broken || forward.over && backward.over;
  }

  private void read(Way way, long nowNs) {
    for (int i = 0; i < BATCH && mayRead(way); i++) {
      long bytes = io.receive(way.from, buffer, 0, PIECE_BYTES, 0);
      if (bytes == -EAGAIN) {
        return;
      }
      if (bytes < 0) {
        cut();
      } else if (bytes == 0) {
        way.ended = true;
      } else {
        way.lane.take(buffer.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE), nowNs);
      }
    }
  }

  private boolean mayRead(Way way) {
    return !broken && !way.ended && !way.lane.isBlackHole() && way.lane.hasRoom();
  }

  private void write(Way way, long nowNs) {
    way.full = false;
    while (!broken && !way.lane.isBlackHole()) {
      byte[] bytes = way.lane.due(nowNs);
      if (bytes == null) {
        endIfDone(way);
        return;
      }
      int left = bytes.length - way.written;
      MemorySegment.copy(bytes, way.written, buffer, ValueLayout.JAVA_BYTE, 0, left);
      long written = io.send(way.to, buffer, 0, left, 0);
      if (written == -EAGAIN || written == 0) {
        way.full = true;
        return;
      }
      if (written < 0) {
        cut();
        return;
      }
      advance(way, bytes.length, (int) written);
    }
  }

  private void advance(Way way, int length, int written) {
    way.written += written;
    if (way.written == length) {
      way.written = 0;
      way.lane.pass();
    }
    untilCut -= written;
    if (untilCut <= 0) {
      tally.add(Tally.Event.CUTS);
      cut();
    }
  }

  private void endIfDone(Way way) {
    if (way.ended && !way.over && way.lane.isEmpty()) {
      way.over = true;
      endpoints.end(way.to);
    }
  }

  int collect(PollSet set, int from) {
    add(set, from, forward, backward);
    add(set, from + 1, backward, forward);
    return from + 2;
  }

  /** A socket without a wanted event is left out: its end would be reported again and again. */
  private void add(PollSet set, int index, Way reads, Way writes) {
    int events = events(reads, writes);
    set.set(index, events == 0 ? -1 : reads.from, events);
  }

  private int events(Way reads, Way writes) {
    return (mayRead(reads) ? PollSet.POLLIN : 0) | (writes.full ? PollSet.POLLOUT : 0);
  }

  /** A way without room waits for its socket, not for the time. */
  long nextNs() {
    return Math.min(nextNs(forward), nextNs(backward));
  }

  private static long nextNs(Way way) {
    return way.full || way.lane.isBlackHole() ? Long.MAX_VALUE : way.lane.nextNs();
  }

  /** Ends the connection by a reset of both sides. */
  void cut() {
    if (!broken) {
      broken = true;
      endpoints.reset(forward.from);
      endpoints.reset(forward.to);
    }
  }

  /** Closes both sockets. */
  void close() {
    if (!broken) {
      broken = true;
      endpoints.close(forward.from);
      endpoints.close(forward.to);
    }
  }
}
