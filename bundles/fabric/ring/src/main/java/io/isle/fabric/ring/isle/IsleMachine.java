package io.isle.fabric.ring.isle;

import static io.isle.api.base.Errno.EAGAIN;

import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.fabric.ring.link.Shape;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A link of dialect isle without its threads: keeps what was sent until it is acknowledged, and
 * delivers by number, once, in order, while paths come and go. One thread at a time drives it; time
 * is a parameter. Packets allocate nothing.
 */
final class IsleMachine {
  private final IsleSpec spec;
  private final Inbound in;
  private final Outbound out;
  private final Lanes lanes;
  private final FrameExchange frames;

  /** The wire of the claimed memory; null without a claim. */
  private Wire claimed;

  IsleMachine(IsleSpec spec, long session, Arena arena, LinkMeter meter, LinkEvents events) {
    this(spec, session, arena, MappedArena::new, meter, events);
  }

  /**
   * @param arena memory of the link
   * @param arenas makes the memory of each path
   */
  IsleMachine(
      IsleSpec spec,
      long session,
      Arena arena,
      Supplier<Arena> arenas,
      LinkMeter meter,
      LinkEvents events) {
    this.spec = spec;
    in = new Inbound(spec, meter, arena);
    out = new Outbound(spec, meter, arena);
    lanes = new Lanes(spec, out);
    frames = new FrameExchange(spec, session, arenas, meter, events, in, out, lanes);
  }

  Lane open() {
    return lanes.add(frames.lane());
  }

  /** Forgets a lane whose port is closed, and frees its memory. */
  void forget(Lane lane) {
    lanes.remove(lane);
    lane.close();
  }

  SendWindow window() {
    return out.window();
  }

  HopLog hop() {
    return frames.hop();
  }

  /** The greeting of the neighbour; null before the first one. Any thread. */
  Hello peer() {
    return frames.neighbour().hello();
  }

  /**
   * The frame that the neighbour works on for too long, by its last sign of life. Any thread.
   *
   * @return the neighbour, the frame and the time in words; empty without one
   */
  String stuck() {
    return isUp() ? frames.neighbour().stuck() : "";
  }

  /** Whether a path is up. Any thread. */
  boolean isUp() {
    return lanes.current() != null;
  }

  Lane current() {
    return lanes.current();
  }

  /** Whether a sending call would find room. */
  boolean hasRoom() {
    return out.hasRoom();
  }

  /** Whether a receiving call would find a packet. */
  boolean hasPacket() {
    return in.hasPacket();
  }

  /** Whether the last received packet is a control message. */
  boolean isControl() {
    return in.isControl();
  }

  /** Number of the last received packet that does not wait in the queue. */
  long received() {
    return in.received();
  }

  /** The first frame of those that were lost last with a session of the neighbour. Any thread. */
  Optional<RingLoss> loss() {
    return out.loss();
  }

  /**
   * Sends a frame of two parts.
   *
   * @return 0 once the frame is kept; -EAGAIN while the window is full
   */
  long send(
      int kind,
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long nowNs) {
    if (!hasRoom()) {
      look(nowNs);
      if (!hasRoom()) {
        return -EAGAIN;
      }
    }
    out.add(kind, head, headLength, data, offset, length, nowNs);
    lanes.pump(nowNs);
    if (out.isLookDueBehind() && isUp()) {
      // the frame is under way meanwhile
      look(nowNs);
    }
    return 0;
  }

  /**
   * Memory of the neighbour in which the next frame's packet may be written, until {@link #commit}
   * or {@link #abandon}.
   *
   * @return null if the path has none, or frames before the packet are not sent yet
   */
  MemorySegment claim(long nowNs) {
    if (out.isLookDue()) {
      look(nowNs);
    }
    Lane lane = lanes.current();
    boolean next = lane != null && lanes.carries(lane) && out.isNext() && hasRoom();
    MemorySegment memory = claimed == null && next ? lane.claim() : null;
    claimed = memory == null ? claimed : lane.wire();
    return memory;
  }

  /**
   * Sends the packet that was written in claimed memory, and ends the claim.
   *
   * @return 0 once the frame is kept; -EAGAIN while the window is full
   */
  int commit(MemorySegment packet, long nowNs) {
    if (!hasRoom()) {
      look(nowNs);
      return -EAGAIN;
    }
    boolean next = out.isNext();
    long number = out.window().next();
    out.add(IsleFrame.DATA, packet, 0, packet, 0, spec.packetBytes(), nowNs);
    Lane lane = lanes.current();
    if (next
        && lane != null
        && lanes.carries(lane)
        && lane.wire() == claimed
        && lane.publish(out.window().frame(number), out.window().bytes(number))) {
      out.published();
    }
    abandon();
    lanes.pump(nowNs);
    return 0;
  }

  /** Ends the claim, if any. */
  void abandon() {
    if (claimed != null) {
      claimed.abandon();
      claimed = null;
    }
  }

  /** Ends the claim, and the access to all memory that was claimed. */
  void revoke() {
    abandon();
    lanes.revoke();
  }

  /**
   * Receives a packet.
   *
   * @return bytes of the packet; -EAGAIN
   */
  long receive(MemorySegment into, long offset, long nowNs) {
    if (in.deliver(into, offset, nowNs)) {
      removed(nowNs);
      return spec.packetBytes();
    }
    in.aim(into, offset);
    lanes.readOne(in, nowNs);
    boolean got = in.endAim();
    if (!got) {
      in.idle(nowNs);
    }
    settle(nowNs);
    return got ? spec.packetBytes() : -EAGAIN;
  }

  /** As {@link #receive}, behind a call without a packet: looks for a frame for a moment. */
  long spin(MemorySegment into, long offset, long nowNs) {
    Lane current = lanes.current();
    return current != null && current.spin() ? receive(into, offset, nowNs) : -EAGAIN;
  }

  /** The next packet, which stays; null if none is here. */
  MemorySegment peek(long nowNs) {
    if (!in.hasPacket()) {
      look(nowNs);
    }
    return in.peek();
  }

  /** Whether the packet of {@link #peek} is a control message. */
  boolean isControlNext() {
    return in.isControlNext();
  }

  /** Removes the packet of {@link #peek}. */
  void remove(long nowNs) {
    in.remove(nowNs);
    removed(nowNs);
  }

  private void removed(long nowNs) {
    lanes.release();
    settle(nowNs);
  }

  /** Takes what the neighbour has sent. */
  private void look(long nowNs) {
    lanes.read(nowNs);
    settle(nowNs);
  }

  /** Behind reads: acknowledges, and moves to another lane. */
  private void settle(long nowNs) {
    lanes.promoteSettled(nowNs);
    if (in.isAckDue(nowNs) || out.isSendable()) {
      lanes.pump(nowNs);
    }
  }

  /** Sends a notice or a roll call as soon as the path has room; dropped without a path. */
  void post(int kind, byte[] payload, long nowNs) {
    Lane lane = lanes.current();
    if (lane != null) {
      frames.post(kind, payload);
      if (payload.length <= Heartbeat.BYTES) {
        // a neighbour that rests wakes for more bytes than those of a heartbeat
        lane.hasten(nowNs);
      }
      lanes.pump(nowNs);
    }
  }

  /**
   * Drives all lanes.
   *
   * @return the time of the next call without an event
   */
  long poll(long nowNs) {
    lanes.poll(nowNs);
    settle(nowNs);
    return deadline();
  }

  /** The time of the next call of {@link #poll} without an event. */
  long deadline() {
    return lanes.deadline(in.ackNs());
  }

  /** Whether frames in the window are not sent yet. */
  boolean hasBacklog() {
    return isUp() && (out.hasBacklog() || lanes.isSending());
  }

  /**
   * Descriptors to wait for.
   *
   * @param reads whether bytes of the peer are events
   */
  void interests(RingPort.Interests interests, boolean reads) {
    lanes.interests(interests, reads);
  }

  /**
   * Heartbeats of the neighbour alone are no events from now on.
   *
   * @return false if they stay events, because something else may come that is as short
   */
  boolean rest() {
    return lanes.rest();
  }

  /** Each byte of the neighbour is an event. */
  void attend() {
    lanes.attend();
  }

  /** Whether there is no port but that of the path in use. */
  boolean hasOnePort() {
    return lanes.hasOne();
  }

  /** Adds the ports of all lanes. */
  void shape(Shape shape) {
    lanes.shape(shape);
  }

  /** A number that changes with the state. Any thread. */
  long view() {
    return lanes.view();
  }

  /** Ends all paths on purpose. */
  void leave(Goodbye.Reason why, long nowNs) {
    lanes.leave(why, nowNs);
  }
}
