package io.isle.fabric.ring.isle;

import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Hello;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A path of a link: its port, from the exchange of greetings to its end. Driven by one thread at a
 * time, with the machine of the link.
 */
final class Lane {
  private static final long LEAVE_NS = 1_000_000_000L;

  private final FrameExchange link;
  private final IsleSpec spec;
  private final Arena arena;
  private final LaneGreeting greeting;
  private final LaneClock clock;
  private final LaneReader reader;
  private final LaneSender sender;
  private volatile RingPort port;
  private Wire wire;
  private Stage stage = Stage.DOWN;
  private volatile String reason = "";
  private long path = -1;
  private long portNs = Long.MIN_VALUE;
  private long leaveNs;

  /** Whether heartbeats of the neighbour are read only when the own one is due. */
  private boolean resting;

  private enum Stage {
    DOWN,
    GREETING,
    UP,
    LEAVING
  }

  Lane(FrameExchange link, IsleSpec spec, Arena arena) {
    this.link = link;
    this.spec = spec;
    this.arena = arena;
    greeting = new LaneGreeting(spec, link);
    clock = new LaneClock(spec);
    reader = new LaneReader(this, link, greeting);
    sender = new LaneSender(this, link, greeting, clock, arena);
  }

  /** Frees the memory of the lane, which has no port any more. */
  void close() {
    arena.close();
  }

  /** A port has come, or goes: null. A port that goes on with its path has {@code same}. */
  void port(RingPort next, boolean same, long nowNs) {
    attend();
    if (!same && stage != Stage.DOWN) {
      down(nowNs, false, "the transport has no connection any more");
    }
    if (next != null && !same) {
      path = -1;
      wire = link.wire(next, wire, arena);
    }
    port = next;
    portNs = Long.MIN_VALUE;
    clock.restart(nowNs);
  }

  RingPort port() {
    return port;
  }

  Wire wire() {
    return wire;
  }

  /** A frame was delivered, by this path or another one. */
  void delivered(long number, long nowNs) {
    if (wire != null) {
      wire.delivered(number, nowNs);
    }
  }

  /** Whether frames may arrive and leave. */
  boolean isOpen() {
    return stage != Stage.DOWN && port != null;
  }

  boolean isUp() {
    return stage == Stage.UP && port != null;
  }

  /** Whether greetings were exchanged on the path, which may be parked. */
  boolean wasUp() {
    return stage == Stage.UP;
  }

  /**
   * Whether the path is one of the neighbour's and not dead. A path that is parked, or is not read
   * for want of room, counts as alive.
   */
  boolean isAlive(long nowNs) {
    forgivePause(nowNs);
    return wasUp() && (port == null || reader.isHeld() || nowNs < clock.silentNs());
  }

  boolean isGreeting() {
    return stage == Stage.GREETING;
  }

  boolean isDown() {
    return stage == Stage.DOWN;
  }

  /** Whether the link sends its frames here. Any thread. */
  boolean isCurrent() {
    return link.isCurrent(this);
  }

  /** Time of the begin of the path. */
  long begunNs() {
    return greeting.begunNs();
  }

  /** The last failure in words; empty without one. Any thread. */
  String reason() {
    return reason;
  }

  /** A frame that waits for room in the queue is looked at again. */
  void release() {
    reader.release();
  }

  /** Drives the port, reads what is here and sends what is due. */
  void poll(long nowNs) {
    if (port == null) {
      return;
    }
    portNs = port.poll(nowNs);
    clock.join(nowNs, resting);
    look(nowNs);
    read(nowNs);
    judge(nowNs);
    pump(nowNs);
  }

  private void look(long nowNs) {
    boolean usable = isUsable();
    if (stage != Stage.DOWN && (!usable || port.paths() != path)) {
      down(nowNs, false, port.reason());
    }
    if (stage == Stage.DOWN && usable && port.paths() != path) {
      path = port.paths();
      begin(nowNs);
    }
  }

  private boolean isUsable() {
    PortState state = port.state();
    return state == PortState.UP
        || wire.isLossy() && state != PortState.FAILED && state != PortState.CLOSED;
  }

  private void begin(long nowNs) {
    wire.reset();
    resting = false;
    stage = Stage.GREETING;
    reader.release();
    sender.begin();
    greeting.begin(nowNs);
    clock.begin(wire.arrived(), nowNs);
  }

  /** Reads frames until nothing is here, or a receiving call has its packet. */
  void read(long nowNs) {
    reader.read(nowNs);
    if (wire != null) {
      clock.looked(wire.arrived(), nowNs);
    }
  }

  /** Looks for a frame for a moment, where that is cheap; whether one is here. */
  boolean spin() {
    return isUp() && !reader.isHeld() && wire.spin(port);
  }

  /** Sends all that is due. */
  void pump(long nowNs) {
    sender.pump(nowNs);
  }

  /** Sends a numbered frame. */
  void send(MemorySegment frame, int bytes, long number, long nowNs) {
    sender.send(frame, bytes, number, nowNs);
  }

  /** Memory of the neighbour for the packet of the next frame; null if the path has none. */
  MemorySegment claim() {
    return isUp() ? wire.claim(port) : null;
  }

  /** Sends the frame whose packet lies in the claimed memory; false if that is not possible. */
  boolean publish(MemorySegment frame, int bytes) {
    return isUp() && wire.publish(port, frame, bytes);
  }

  /** Ends the access to all memory that was claimed. */
  void revoke() {
    if (wire != null) {
      wire.revoke(port);
    }
  }

  /** Whether bytes wait for room. */
  boolean isSending() {
    return sender.isSending();
  }

  /** The greeting of the neighbour was accepted; of datagrams, it may be that of a new source. */
  void greeted(Hello theirs, long nowNs) {
    path = port.paths();
    greeting.reply(nowNs);
    greeting.succeeded();
    clock.greeted(theirs.heartbeatMs() * 1_000_000L, nowNs);
    reason = "";
    stage = Stage.UP;
    link.greeted(this, theirs, nowNs);
  }

  /** This node has refused the neighbour, and has said so. */
  void refuse(long nowNs) {
    greeting.backOff(nowNs);
    down(nowNs, false, "refused " + spec.neighbour() + ": " + greeting.refusal());
  }

  /** The neighbour refuses this node. */
  void refused(long nowNs, String why) {
    greeting.backOff(nowNs);
    down(nowNs, false, spec.neighbour() + " refuses: " + why);
  }

  /** The neighbour violates the protocol. */
  void violated(long nowNs, String fault) {
    greeting.backOff(nowNs);
    boolean other = stage == Stage.GREETING && fault.equals(Wire.OTHER);
    down(
        nowNs,
        false,
        other
            ? Greeting.wrongDialect(spec)
            : spec.neighbour() + " violates the protocol: " + fault);
  }

  /** The neighbour ends the path on purpose. */
  void left(Goodbye goodbye, long nowNs) {
    if (goodbye.reason() == Goodbye.Reason.SWITCHED) {
      down(nowNs, false, "");
    } else {
      link.events().left(goodbye);
      down(nowNs, false, spec.neighbour() + " has ended");
    }
  }

  /** Ends the path where greetings or heartbeats are missing. */
  private void judge(long nowNs) {
    if (stage == Stage.GREETING) {
      boolean awaited = !wire.isLossy() || spec.connects();
      if (awaited && greeting.isLate(nowNs)) {
        greeting.backOff(nowNs);
        down(nowNs, false, Greeting.silent(spec));
      }
    } else if (stage == Stage.UP) {
      if (!reader.isHeld() && nowNs >= clock.silentNs()) {
        down(nowNs, true, clock.silence(spec.neighbour(), nowNs));
      }
    } else if (stage == Stage.LEAVING && nowNs >= leaveNs) {
      down(nowNs, false, "");
    }
  }

  /** Before a look at the port: a pause of this node is no silence of the peer. */
  void forgivePause(long nowNs) {
    clock.forgivePause(nowNs);
  }

  /**
   * Descriptors to wait for.
   *
   * @param reads whether bytes of the peer are events
   */
  void interests(RingPort.Interests interests, boolean reads) {
    if (port != null) {
      int wanted = !reads || reader.isHeld() || stage == Stage.DOWN ? 0 : RingPort.READABLE;
      port.interests(interests, wanted | (isSending() ? RingPort.WRITABLE : 0));
    }
  }

  /**
   * Heartbeats of the neighbour alone are no events from now on: the own ones bring looks.
   *
   * @return false if that is not possible now
   */
  boolean rest() {
    resting = isUp() && !reader.isHeld() && clock.looksOften() && wire.rest(port);
    return resting;
  }

  /** Each byte of the neighbour is an event. */
  void attend() {
    if (resting) {
      resting = false;
      wire.attend(port);
    }
  }

  /** Whether heartbeats of the neighbour wait for a look: they tell nothing about times. */
  boolean isResting() {
    return resting;
  }

  /** The own heartbeat is due at once. */
  void hasten(long nowNs) {
    clock.hasten(nowNs);
  }

  /** Ends the path with a last frame. */
  void leave(Goodbye.Reason why, long nowNs) {
    if (stage == Stage.UP) {
      sender.leave(why);
      pump(nowNs);
    } else if (stage != Stage.DOWN) {
      down(nowNs, false, "");
    }
  }

  /** The last frame is on its way. */
  void leaving(long nowNs) {
    stage = Stage.LEAVING;
    leaveNs = nowNs + LEAVE_NS;
  }

  /** The path is over. */
  void down(long nowNs, boolean silent, String why) {
    boolean wasUp = stage == Stage.UP;
    stage = Stage.DOWN;
    resting = false;
    reader.release();
    wire.reset();
    if (!why.isEmpty()) {
      reason = why;
    }
    if (port != null) {
      if (port.paths() == path && isUsable()) {
        port.disconnect(why);
      }
      if (wire.isLossy()) {
        path = -1;
        greeting.rest(nowNs);
      }
    }
    link.ended(this, wasUp, silent, why, clock.ageNs(nowNs));
  }

  /** The time of the next call of {@link #poll} without an event. */
  long deadline(long ackNs) {
    if (port == null) {
      return Long.MAX_VALUE;
    }
    long next = portNs;
    switch (stage) {
      case DOWN -> {}
      case GREETING -> next = Math.min(next, greeting.deadlineNs());
      case UP -> {
        next = Math.min(next, Math.min(clock.dueNs(), ackNs));
        next = reader.isHeld() ? next : Math.min(next, clock.silentNs());
        next = Math.min(next, wire.deadlineNs());
      }
      case LEAVING -> next = Math.min(next, leaveNs);
    }
    return next;
  }
}
