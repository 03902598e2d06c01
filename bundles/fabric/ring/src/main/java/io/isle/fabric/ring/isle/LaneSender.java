package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The frames that leave by a path, in the order of their urgency. Allocates nothing for packets.
 */
final class LaneSender {
  private final Lane lane;
  private final FrameExchange link;
  private final LaneGreeting greeting;
  private final LaneClock clock;
  private final OwnFrame own;
  private Goodbye.Reason goodbye;

  /** Whether the path takes no bytes any more; it may still have some to read. */
  private boolean mute;

  LaneSender(Lane lane, FrameExchange link, LaneGreeting greeting, LaneClock clock, Arena arena) {
    this.lane = lane;
    this.link = link;
    this.greeting = greeting;
    this.clock = clock;
    own = new OwnFrame(arena);
  }

  /** A path begins. */
  void begin() {
    mute = false;
    goodbye = null;
  }

  /** The next frame of an own kind is the last one. */
  void leave(Goodbye.Reason why) {
    goodbye = why;
  }

  /** Sends all that is due. */
  void pump(long nowNs) {
    while (lane.isOpen() && !mute && isClear(nowNs)) {
      int bytes = due(nowNs);
      if (bytes > 0) {
        send(own.memory, bytes, 0, nowNs);
      } else if (!greeting.refusal().isEmpty()) {
        lane.refuse(nowNs);
      } else if (!lane.isUp() || !link.sendNext(lane, nowNs)) {
        return;
      }
    }
  }

  private boolean isClear(long nowNs) {
    Wire wire = lane.wire();
    return wire.isIdle() || note(wire.flush(lane.port(), nowNs)) == Wire.DONE;
  }

  /**
   * Sends a frame, which stays as it is until it is sent as a whole.
   *
   * @param number of the frame; 0 without one
   */
  void send(MemorySegment frame, int bytes, long number, long nowNs) {
    int ignored = note(lane.wire().send(lane.port(), frame, bytes, number, nowNs));
  }

  private int note(int result) {
    mute |= result == Wire.ENDED;
    return result;
  }

  /** Whether bytes wait for room. */
  boolean isSending() {
    return lane.isOpen() && !mute && !lane.wire().isIdle();
  }

  /** Composes the next frame without a number; returns its bytes, 0 for none. */
  private int due(long nowNs) {
    int greets = greeting.compose(own, lane.wire().isLossy(), nowNs);
    if (greets > 0 || !greeting.refusal().isEmpty()) {
      return greets;
    }
    if (!lane.isUp()) {
      return 0;
    }
    if (goodbye != null) {
      new Goodbye(goodbye, link.written()).write(own.memory, OwnFrame.PAYLOAD);
      goodbye = null;
      lane.leaving(nowNs);
      return own.seal(IsleFrame.GOODBYE, Goodbye.BYTES, nowNs);
    }
    if (nowNs >= clock.dueNs()) {
      clock.beat(nowNs);
      return link.heartbeat(own, nowNs);
    }
    return link.own(lane, own, nowNs);
  }
}
