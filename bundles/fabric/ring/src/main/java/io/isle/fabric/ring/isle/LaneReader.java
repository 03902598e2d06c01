package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingPort;
import io.isle.lib.leap.isle.FrameException;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Refusal;
import java.lang.foreign.MemorySegment;

/** The frames that arrive by a path. Allocates nothing for packets. */
final class LaneReader {
  /** Most frames of one call. */
  private static final int MOST_FRAMES = 256;

  private final Lane lane;
  private final FrameExchange link;
  private final LaneGreeting greeting;

  /** Whether a frame waits for room in the queue. */
  private boolean held;

  LaneReader(Lane lane, FrameExchange link, LaneGreeting greeting) {
    this.lane = lane;
    this.link = link;
    this.greeting = greeting;
  }

  /** Whether a frame waits for room in the queue. */
  boolean isHeld() {
    return held;
  }

  /** The frame that waits is looked at again. */
  void release() {
    held = false;
  }

  /** Reads frames until nothing is here, or a receiving call has its packet. */
  void read(long nowNs) {
    for (int i = 0; i < MOST_FRAMES && lane.isOpen() && !held; i++) {
      RingPort port = lane.port();
      Wire wire = lane.wire();
      int next = lane.isGreeting() ? wire.next(port, nowNs) : wire.next(port, link.in(), nowNs);
      if (next == Wire.FRAME) {
        take(wire, nowNs);
        if (link.in().isServed()) {
          return;
        }
      } else if (next == Wire.NOTHING) {
        return;
      } else if (next == Wire.ENDED) {
        lane.down(nowNs, false, port.reason());
      } else {
        violated(nowNs, wire.fault());
      }
    }
  }

  private void take(Wire wire, long nowNs) {
    MemorySegment frame = wire.memory();
    long at = wire.at();
    int kind = IsleFrame.kind(frame, at);
    int length = IsleFrame.length(frame, at);
    long payload = at + IsleFrame.HEADER_BYTES;
    if (lane.isGreeting()) {
      greet(kind, frame, payload, length, nowNs);
      return;
    }
    switch (kind) {
      case IsleFrame.DATA, IsleFrame.CONTROL -> {
        held = link.in().isFull(IsleFrame.number(frame, at));
        if (held) {
          wire.again();
        } else {
          faulty(nowNs, link.deliver(frame, at, kind, length, nowNs));
        }
      }
      case IsleFrame.HELLO -> {
        if (wire.isLossy()) {
          // a late greeting does not revive a path that ends
          if (lane.isUp()) {
            greet(kind, frame, payload, length, nowNs);
          }
        } else {
          violated(nowNs, "a second greeting on one path");
        }
      }
      case IsleFrame.REFUSAL -> lane.refused(nowNs, Refusal.read(frame, payload, length));
      case IsleFrame.GOODBYE -> bye(frame, payload, nowNs);
      default -> faulty(nowNs, link.take(lane, kind, frame, payload, length, nowNs));
    }
  }

  private void faulty(long nowNs, String fault) {
    if (!fault.isEmpty()) {
      violated(nowNs, fault);
    }
  }

  private void greet(int kind, MemorySegment frame, long payload, int length, long nowNs) {
    if (kind == IsleFrame.REFUSAL) {
      lane.refused(nowNs, Refusal.read(frame, payload, length));
      return;
    }
    if (kind != IsleFrame.HELLO) {
      if (!lane.wire().isLossy()) {
        violated(nowNs, Greeting.early(kind));
      }
      return;
    }
    Hello theirs = Greeting.read(frame, payload);
    if (theirs == null) {
      violated(nowNs, Greeting.fault(frame, payload));
    } else if (lane.isUp() && link.sessions().isPeer(theirs)) {
      // the reply was lost, or the greeting came late; gaps are closed by requests
      greeting.reply(nowNs);
    } else if (greeting.accepts(lane, theirs, nowNs)) {
      lane.greeted(theirs, nowNs);
    }
  }

  private void bye(MemorySegment frame, long payload, long nowNs) {
    try {
      lane.left(Goodbye.read(frame, payload), nowNs);
    } catch (FrameException e) {
      violated(nowNs, "GOODBYE: " + e.getMessage());
    }
  }

  /** The peer violates the protocol. */
  private void violated(long nowNs, String fault) {
    link.countMalformed();
    lane.violated(nowNs, fault);
  }
}
