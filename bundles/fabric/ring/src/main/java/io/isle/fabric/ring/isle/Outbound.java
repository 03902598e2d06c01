package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingLoss;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The numbered frames that a link sends: kept until the neighbour acknowledges them, sent in their
 * order, as far as the neighbour has room. One thread at a time. Allocates nothing once each slot
 * of the window was used.
 */
final class Outbound {
  private final LinkMeter meter;
  private final SendWindow window;
  private final LastResize resize;
  private final int few;

  /** Number of the next frame on the current lane. */
  private long cursor = 1;

  /** Largest number that was on any path. */
  private long written;

  /** Largest number that the neighbour has room for. */
  private long limit;

  /** Most room that the neighbour has told of on this path; 0 before. */
  private int capacity;

  private volatile long lost;

  Outbound(IsleSpec spec, LinkMeter meter, Arena arena) {
    this.meter = meter;
    window = new SendWindow(spec, arena);
    resize = new LastResize(arena);
    few = spec.framesInCache();
  }

  SendWindow window() {
    return window;
  }

  /** Largest number that was on any path. */
  long written() {
    return written;
  }

  /** Number of the last frame that the neighbour has acknowledged. */
  long acknowledged() {
    return window.first() - 1;
  }

  /**
   * Whether a frame may be added. On a path, no more frames are kept than the neighbour ever had
   * room for: more would only leave the caches.
   */
  boolean hasRoom() {
    return !window.isFull() && (capacity == 0 || kept() < capacity);
  }

  /** Whether it is time to look for acknowledgements before a frame is added. */
  boolean isLookDue() {
    return kept() >= few;
  }

  /** The same behind a frame that was added, so that the frame does not wait for the look. */
  boolean isLookDueBehind() {
    return kept() > few;
  }

  private long kept() {
    return window.next() - window.first();
  }

  void add(
      int kind,
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long nowNs) {
    window.add(kind, head, headLength, data, offset, length, nowNs);
    meter.sent(headLength + length);
  }

  /** Whether a frame that is added now is sent at once. */
  boolean isNext() {
    return cursor == window.next() && cursor <= limit;
  }

  /** The next frame was sent by the memory of the neighbour. */
  void published() {
    written = Math.max(written, cursor++);
  }

  /** Whether a frame waits that the neighbour has room for. */
  boolean isSendable() {
    return cursor < window.next() && cursor <= limit;
  }

  /** Whether a frame in the window is not sent yet. */
  boolean hasBacklog() {
    return cursor < window.next();
  }

  /** Whether all frames on the current lane are acknowledged. */
  boolean isSettled() {
    return cursor == window.first();
  }

  /** Whether no frame waits for an acknowledgement, nor would the next one. */
  boolean isQuiet() {
    return isSettled() && isNext();
  }

  /** Frames that are not acknowledged go again, on another lane. */
  void rewind() {
    cursor = window.first();
    capacity = 0;
  }

  /** Sends the next frame on the current lane. */
  void send(Lane lane, long nowNs) {
    long number = cursor++;
    if (number <= written) {
      meter.add(LinkMeter.REPAIRED, 1);
    }
    MemorySegment frame = window.frame(number);
    if (number > written && IsleFrame.kind(frame, 0) == IsleFrame.CONTROL) {
      resize.look(frame, IsleFrame.HEADER_BYTES);
    }
    written = Math.max(written, number);
    lane.send(frame, window.bytes(number), number, nowNs);
  }

  /**
   * The neighbour has the frames up to {@code to}, and room for {@code room} beyond.
   *
   * @return frames that this call ended
   */
  int acknowledge(long to, int room) {
    int ended = window.acknowledge(to);
    cursor = Math.max(cursor, to + 1);
    limit = Math.max(limit, to + room);
    capacity = Math.max(capacity, room);
    return ended;
  }

  /**
   * The neighbour has another session: what was sent to the one before is lost with it, and what
   * waits for a path goes on. The division of layers comes first in the new session.
   */
  void restart(long nowNs) {
    if (window.first() <= written) {
      lost = window.first();
    }
    meter.add(LinkMeter.LOST, window.restart(written, resize, nowNs));
    cursor = 1;
    written = 0;
    limit = 0;
  }

  /** The first frame of those that were lost last. Any thread. */
  Optional<RingLoss> loss() {
    long number = lost;
    return number == 0 ? Optional.empty() : Optional.of(new RingLoss(number, 0, 0));
  }
}
