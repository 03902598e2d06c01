package io.isle.fabric.ring.isle;

import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.lib.leap.isle.FrameException;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Refusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A path of a link: its port, the exchange of greetings, and the signs of life. Driven by one
 * thread at a time, with the machine of the link.
 */
final class Lane {
  private static final int MOST_FRAMES = 256;
  private static final long REPEAT_NS = 100_000_000L;
  private static final long LEAVE_NS = 1_000_000_000L;
  private static final int MISSED = 4;
  private static final long LEAST_WAIT_NS = 50_000_000L;
  private static final long MOST_WAIT_NS = 2_000_000_000L;

  private final IsleMachine machine;
  private final IsleSpec spec;
  private final OwnFrame own;
  private volatile RingPort port;
  private Wire wire;
  private Stage stage = Stage.DOWN;
  private volatile String reason = "";
  private long path = -1;
  private long begunNs;
  private long heardNs;
  private long lookedNs;
  private long heardBytes;
  private long beatNs;
  private long peerBeatNs;
  private long greetNs;
  private long leaveNs;
  private long quietUntilNs = Long.MIN_VALUE;
  private long waitNs = LEAST_WAIT_NS;
  private String refusal = "";
  private Goodbye.Reason goodbye;
  private boolean held;
  private boolean mute;
  private long portNs = Long.MIN_VALUE;

  private enum Stage {
    DOWN,
    GREETING,
    UP,
    LEAVING
  }

  Lane(IsleMachine machine, IsleSpec spec, Arena arena) {
    this.machine = machine;
    this.spec = spec;
    own = new OwnFrame(arena);
  }

  /** A port has come, or goes: null. A port that goes on with its path has {@code same}. */
  void port(RingPort next, boolean same, long nowNs) {
    if (!same && stage != Stage.DOWN) {
      down(nowNs, false, "the transport has no connection any more");
    }
    port = next;
    portNs = Long.MIN_VALUE;
    if (next != null && !same) {
      path = -1;
      wire = machine.wire(next, wire);
    }
    heardNs = nowNs;
    lookedNs = nowNs;
  }

  RingPort port() {
    return port;
  }

  boolean isUp() {
    return stage == Stage.UP && port != null;
  }

  /** Whether the link sends its frames here. Any thread. */
  boolean isCurrent() {
    return machine.current() == this;
  }

  boolean isDown() {
    return stage == Stage.DOWN;
  }

  /** Time of the begin of the path. */
  long begunNs() {
    return begunNs;
  }

  /** The last failure in words; empty without one. Any thread. */
  String reason() {
    return reason;
  }

  /** Whether a frame waits for room in the queue. */
  boolean isHeld() {
    return held;
  }

  void release() {
    held = false;
  }

  Wire wire() {
    return wire;
  }

  /** Drives the port, reads what is here and sends what is due. */
  void poll(long nowNs) {
    if (port == null) {
      return;
    }
    portNs = port.poll(nowNs);
    look(nowNs);
    read(nowNs);
    judge(nowNs);
    pump(nowNs);
  }

  private void look(long nowNs) {
    boolean open = isOpen();
    if (stage != Stage.DOWN && (!open || port.paths() != path)) {
      down(nowNs, false, port.reason());
    }
    if (stage == Stage.DOWN && open && port.paths() != path) {
      path = port.paths();
      begin(nowNs);
    }
  }

  private boolean isOpen() {
    PortState state = port.state();
    return state == PortState.UP
        || wire.isLossy() && state != PortState.FAILED && state != PortState.CLOSED;
  }

  private void begin(long nowNs) {
    wire.reset();
    stage = Stage.GREETING;
    held = false;
    mute = false;
    refusal = "";
    goodbye = null;
    begunNs = Math.max(nowNs, quietUntilNs);
    heardNs = nowNs;
    lookedNs = nowNs;
    heardBytes = wire.arrived();
    greetNs = spec.connects() ? begunNs : Long.MAX_VALUE;
  }

  /** Reads frames until nothing is here, or a receiving call has its packet. */
  void read(long nowNs) {
    for (int i = 0; i < MOST_FRAMES && port != null && stage != Stage.DOWN && !held; i++) {
      int next = wire.next(port, nowNs);
      if (next == Wire.FRAME) {
        take(nowNs);
        if (machine.isServed()) {
          break;
        }
      } else if (next == Wire.NOTHING) {
        break;
      } else if (next == Wire.ENDED) {
        down(nowNs, false, port.reason());
      } else {
        violated(nowNs, wire.fault());
      }
    }
    lookedNs = nowNs;
    if (wire != null && wire.arrived() != heardBytes) {
      heardBytes = wire.arrived();
      heardNs = nowNs;
    }
  }

  /** Looks for a frame for a moment, where that is cheap; whether one is here. */
  boolean spin() {
    return isUp() && !held && wire.spin(port);
  }

  private void take(long nowNs) {
    MemorySegment frame = wire.memory();
    long at = wire.at();
    int kind = IsleFrame.kind(frame, at);
    int length = IsleFrame.length(frame, at);
    long payload = at + IsleFrame.HEADER_BYTES;
    if (stage == Stage.GREETING) {
      greet(kind, frame, payload, length, nowNs);
      return;
    }
    switch (kind) {
      case IsleFrame.DATA, IsleFrame.CONTROL -> {
        held = machine.isFull(IsleFrame.number(frame, at));
        if (held) {
          wire.again();
        } else {
          faulty(nowNs, machine.take(frame, at, kind, length, nowNs));
        }
      }
      case IsleFrame.ACK -> faulty(nowNs, machine.acknowledged(this, frame, payload, nowNs));
      case IsleFrame.HEARTBEAT -> faulty(nowNs, machine.beaten(this, frame, payload, nowNs));
      case IsleFrame.HELLO -> {
        if (wire.isLossy()) {
          greet(kind, frame, payload, length, nowNs);
        } else {
          violated(nowNs, "a second greeting on one path");
        }
      }
      case IsleFrame.REFUSAL -> refused(frame, payload, length, nowNs);
      case IsleFrame.GOODBYE -> bye(frame, payload, nowNs);
      case IsleFrame.NACK -> faulty(nowNs, wire.missing(frame, payload, length, machine.window()));
      default -> machine.events().news(kind, frame, payload, length);
    }
  }

  private void faulty(long nowNs, String fault) {
    if (!fault.isEmpty()) {
      violated(nowNs, fault);
    }
  }

  private void greet(int kind, MemorySegment frame, long payload, int length, long nowNs) {
    if (kind == IsleFrame.REFUSAL) {
      refused(frame, payload, length, nowNs);
      return;
    }
    if (kind != IsleFrame.HELLO) {
      if (!wire.isLossy()) {
        violated(nowNs, Greeting.early(kind));
      }
      return;
    }
    Hello theirs = Greeting.read(frame, payload);
    if (theirs == null) {
      violated(nowNs, Greeting.fault(frame, payload));
      return;
    }
    if (stage == Stage.UP && machine.isPeer(theirs)) {
      // the reply was lost, or the greeting came late; gaps are closed by requests
      greetNs = spec.connects() ? Long.MAX_VALUE : nowNs;
      return;
    }
    String mismatch = machine.hello(!spec.connects()).mismatch(theirs);
    if (mismatch.isEmpty()) {
      mismatch = machine.unknown(theirs);
    }
    if (!mismatch.isEmpty()) {
      refusal = mismatch;
      return;
    }
    greetNs = spec.connects() ? Long.MAX_VALUE : nowNs;
    peerBeatNs = theirs.heartbeatMs() * 1_000_000L;
    reason = "";
    waitNs = LEAST_WAIT_NS;
    stage = Stage.UP;
    beatNs = nowNs + spec.heartbeatNs();
    machine.greeted(this, theirs, nowNs);
  }

  private void refused(MemorySegment frame, long payload, int length, long nowNs) {
    backOff(nowNs);
    down(nowNs, false, spec.neighbour() + " refuses: " + Refusal.read(frame, payload, length));
  }

  private void bye(MemorySegment frame, long payload, long nowNs) {
    try {
      Goodbye read = Goodbye.read(frame, payload);
      if (read.reason() == Goodbye.Reason.SWITCHED) {
        down(nowNs, false, "");
      } else {
        machine.events().left(read);
        down(nowNs, false, spec.neighbour() + " has ended");
      }
    } catch (FrameException e) {
      violated(nowNs, "GOODBYE: " + e.getMessage());
    }
  }

  /** The peer violates the protocol. */
  private void violated(long nowNs, String fault) {
    machine.countMalformed();
    backOff(nowNs);
    boolean other = stage == Stage.GREETING && fault.equals(Wire.OTHER);
    down(
        nowNs,
        false,
        other
            ? Greeting.wrongDialect(spec)
            : spec.neighbour() + " violates the protocol: " + fault);
  }

  private void backOff(long nowNs) {
    quietUntilNs = nowNs + waitNs;
    waitNs = Math.min(2 * waitNs, MOST_WAIT_NS);
  }

  /** Ends the path where greetings or heartbeats are missing. */
  private void judge(long nowNs) {
    if (stage == Stage.GREETING) {
      boolean awaited = !wire.isLossy() || spec.connects();
      if (awaited && nowNs - begunNs >= Greeting.LIMIT_NS) {
        backOff(nowNs);
        down(nowNs, false, Greeting.silent(spec));
      }
    } else if (stage == Stage.UP) {
      if (!held && nowNs - heardNs >= MISSED * peerBeatNs) {
        down(
            nowNs,
            true,
            spec.neighbour()
                + " was silent for "
                + (nowNs - heardNs) / 1_000_000
                + " ms: its program is stopped, or the network is down");
      }
    } else if (stage == Stage.LEAVING && nowNs >= leaveNs) {
      down(nowNs, false, "");
    }
  }

  /** Before a look at the port: a pause of this node is no silence of the peer. */
  void forgivePause(long nowNs) {
    if (nowNs - lookedNs > spec.heartbeatNs()) {
      heardNs = Math.max(heardNs, nowNs - peerBeatNs);
    }
  }

  /** Sends all that is due. */
  void pump(long nowNs) {
    while (stage != Stage.DOWN && port != null && !mute && isClear(nowNs)) {
      int bytes = due(nowNs);
      if (bytes > 0) {
        boolean ignored = sendNumbered(own.memory, bytes, 0, nowNs);
      } else if (!refusal.isEmpty()) {
        backOff(nowNs);
        down(nowNs, false, "refused " + spec.neighbour() + ": " + refusal);
      } else if (stage != Stage.UP || !machine.sendNext(this, nowNs)) {
        return;
      }
    }
  }

  private boolean isClear(long nowNs) {
    return wire.isIdle() || sent(wire.flush(port, nowNs));
  }

  boolean sendNumbered(MemorySegment frame, int bytes, long number, long nowNs) {
    return sent(wire.send(port, frame, bytes, number, nowNs));
  }

  /** Whether bytes wait for room. */
  boolean isSending() {
    return stage != Stage.DOWN && port != null && !mute && !wire.isIdle();
  }

  /**
   * Descriptors to wait for.
   *
   * @param reads whether bytes of the peer are events
   */
  void interests(RingPort.Interests interests, boolean reads) {
    if (port != null) {
      int wanted = !reads || held || stage == Stage.DOWN ? 0 : RingPort.READABLE;
      port.interests(interests, wanted | (isSending() ? RingPort.WRITABLE : 0));
    }
  }

  /** A path that takes no bytes any more may still have some to read. */
  private boolean sent(int result) {
    mute |= result == Wire.ENDED;
    return result == Wire.DONE;
  }

  /** Composes the next frame without a number; returns its bytes, 0 for none. */
  private int due(long nowNs) {
    if (!refusal.isEmpty()) {
      if (spec.connects() || greetNs == Long.MIN_VALUE) {
        return 0;
      }
      greetNs = Long.MIN_VALUE;
      return own.seal(
          IsleFrame.REFUSAL, Refusal.write(own.memory, OwnFrame.PAYLOAD, refusal), nowNs);
    }
    if (nowNs >= greetNs) {
      greetNs = spec.connects() && wire.isLossy() ? nowNs + REPEAT_NS : Long.MAX_VALUE;
      machine.hello(!spec.connects()).write(own.memory, OwnFrame.PAYLOAD);
      return own.seal(IsleFrame.HELLO, Hello.BYTES, nowNs);
    }
    if (stage != Stage.UP) {
      return 0;
    }
    if (goodbye != null) {
      new Goodbye(goodbye, machine.written()).write(own.memory, OwnFrame.PAYLOAD);
      goodbye = null;
      stage = Stage.LEAVING;
      leaveNs = nowNs + LEAVE_NS;
      return own.seal(IsleFrame.GOODBYE, Goodbye.BYTES, nowNs);
    }
    if (nowNs >= beatNs) {
      beatNs = nowNs + spec.heartbeatNs();
      return machine.heartbeat(own, nowNs);
    }
    return machine.own(this, own, nowNs);
  }

  /** Ends the path with a last frame. */
  void leave(Goodbye.Reason why, long nowNs) {
    if (stage == Stage.UP) {
      goodbye = why;
      pump(nowNs);
    } else if (stage != Stage.DOWN) {
      down(nowNs, false, "");
    }
  }

  private void down(long nowNs, boolean silent, String why) {
    boolean wasUp = stage == Stage.UP;
    stage = Stage.DOWN;
    held = false;
    wire.reset();
    if (!why.isEmpty()) {
      reason = why;
    }
    if (port != null) {
      if (port.paths() == path && isOpen()) {
        port.disconnect(why);
      }
      if (wire.isLossy()) {
        path = -1;
        quietUntilNs = Math.max(quietUntilNs, nowNs + LEAST_WAIT_NS);
      }
    }
    machine.ended(this, wasUp, silent, why);
  }

  /** The time of the next call of {@link #poll} without an event. */
  long deadline(long ackNs) {
    if (port == null) {
      return Long.MAX_VALUE;
    }
    long next = portNs;
    switch (stage) {
      case DOWN -> {}
      case GREETING -> next = Math.min(next, Math.min(greetNs, begunNs + Greeting.LIMIT_NS));
      case UP -> {
        next = Math.min(next, Math.min(beatNs, ackNs));
        next = held ? next : Math.min(next, heardNs + MISSED * peerBeatNs);
        next = Math.min(next, wire.deadlineNs());
      }
      case LEAVING -> next = Math.min(next, leaveNs);
    }
    return next;
  }
}
