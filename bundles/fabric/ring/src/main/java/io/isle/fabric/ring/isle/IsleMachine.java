package io.isle.fabric.ring.isle;

import static io.isle.api.base.Errno.EAGAIN;

import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.fabric.ring.link.Shape;
import io.isle.lib.leap.Packets;
import io.isle.lib.leap.isle.Ack;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A link of dialect isle without its threads: keeps what was sent until it is acknowledged, and
 * delivers by number, once, in order, while paths come and go. One thread at a time drives it; time
 * is a parameter. Packets allocate nothing.
 */
final class IsleMachine {
  /** Longest time from the arrival of a frame to its acknowledgement. */
  private static final long ACK_NS = 1_000_000;

  private final IsleSpec spec;
  private final long session;
  private final Arena arena;
  private final LinkMeter meter;
  private final LinkEvents events;
  private final SendWindow out;
  private final ReceiveQueue in;
  private final HopLog hop = new HopLog();
  private final NewsQueue news = new NewsQueue();
  private final List<Lane> lanes = new ArrayList<>();

  /** The lane of numbered frames; null while no path is up. */
  private volatile Lane current;

  /** The newest lane that is up; takes over once all frames of the current one are acknowledged. */
  private Lane preferred;

  private volatile Hello peer;
  private long peerSession;

  /** Number of the last frame that arrived in order. */
  private long delivered;

  private long acknowledged;
  private long advertised;
  private long ackNs = Long.MAX_VALUE;
  private long echo;
  private long echoNs;

  /** Number of the next frame on the current lane. */
  private long cursor = 1;

  /** Largest number that was on any path. */
  private long written;

  /** Largest number that the neighbour has room for. */
  private long limit;

  private volatile long lost;
  private final AtomicLong view = new AtomicLong();
  private volatile long peerWork;
  private volatile long peerWorkNs;

  private MemorySegment target;
  private long targetOffset;
  private boolean served;
  private boolean control;

  IsleMachine(IsleSpec spec, long session, Arena arena, LinkMeter meter, LinkEvents events) {
    this.spec = spec;
    this.session = session;
    this.arena = arena;
    this.meter = meter;
    this.events = events;
    out = new SendWindow(spec, arena);
    in = new ReceiveQueue(spec, arena);
  }

  Lane open() {
    Lane lane = new Lane(this, spec, arena);
    lanes.add(lane);
    return lane;
  }

  /** Forgets a lane whose port is closed. */
  void forget(Lane lane) {
    lanes.remove(lane);
  }

  Wire wire(RingPort port, Wire before) {
    return Wires.of(port, before, spec, arena, meter);
  }

  LinkEvents events() {
    return events;
  }

  SendWindow window() {
    return out;
  }

  HopLog hop() {
    return hop;
  }

  /** The greeting of the neighbour; null before the first one. Any thread. */
  Hello peer() {
    return peer;
  }

  /**
   * The frame that the neighbour works on for too long, by its last sign of life. Any thread.
   *
   * @return the neighbour, the frame and the time in words; empty without one
   */
  String stuck() {
    long frame = peerWork;
    long ageNs = peerWorkNs;
    Hello now = peer;
    return now == null || current == null || frame == 0 || ageNs < spec.stallNs()
        ? ""
        : now.node()
            + " has worked on packet "
            + frame
            + " for "
            + ageNs / 1_000_000
            + " ms: its stage is stuck; see the log of that node, or restart the node";
  }

  /** Whether a path is up. */
  boolean isUp() {
    return current != null;
  }

  Lane current() {
    return current;
  }

  /** Whether a sending call would find room. */
  boolean hasRoom() {
    return !out.isFull();
  }

  /** Whether a receiving call would find a packet. */
  boolean hasPacket() {
    return !in.isEmpty();
  }

  /** Whether the last received packet is a control message. */
  boolean isControl() {
    return control;
  }

  /** Number of the last received packet that does not wait in the queue. */
  long received() {
    return delivered - in.count();
  }

  /** The first frame of those that were lost last with a session of the neighbour. Any thread. */
  Optional<RingLoss> loss() {
    long number = lost;
    return number == 0 ? Optional.empty() : Optional.of(new RingLoss(number, 0, 0));
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
    if (out.isFull() || out.room() <= out.window() / 2 && current != null) {
      current(nowNs);
      if (out.isFull()) {
        return -EAGAIN;
      }
    }
    out.add(kind, head, headLength, data, offset, length, nowNs);
    meter.sent(headLength + length);
    if (current != null) {
      current.pump(nowNs);
    }
    return 0;
  }

  /** Reads acknowledgements. */
  private void current(long nowNs) {
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).read(nowNs);
    }
    settle(nowNs);
  }

  /**
   * Receives a packet.
   *
   * @return bytes of the packet; -EAGAIN
   */
  long receive(MemorySegment into, long offset, long nowNs) {
    if (!in.isEmpty()) {
      MemorySegment.copy(in.peek(), 0, into, offset, spec.packetBytes());
      control = in.isControl();
      in.remove();
      removed(nowNs);
      return spec.packetBytes();
    }
    target = into;
    targetOffset = offset;
    for (int i = 0; i < lanes.size() && !served; i++) {
      lanes.get(i).read(nowNs);
    }
    target = null;
    boolean got = served;
    served = false;
    settle(nowNs);
    return got ? spec.packetBytes() : -EAGAIN;
  }

  /** As {@link #receive}, behind a call without a packet: looks for a frame for a moment. */
  long spin(MemorySegment into, long offset, long nowNs) {
    return current != null && current.spin() ? receive(into, offset, nowNs) : -EAGAIN;
  }

  /** The next packet, which stays; null if none is here. */
  MemorySegment peek(long nowNs) {
    if (in.isEmpty()) {
      current(nowNs);
    }
    return in.isEmpty() ? null : in.peek();
  }

  /** Whether the packet of {@link #peek} is a control message. */
  boolean isControlNext() {
    return in.isControl();
  }

  /** Removes the packet of {@link #peek}. */
  void remove(long nowNs) {
    in.remove();
    removed(nowNs);
  }

  private void removed(long nowNs) {
    if (delivered + in.room() > advertised) {
      awaitAck(nowNs);
    }
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).release();
    }
    settle(nowNs);
  }

  /** Behind reads: acknowledges, and moves to another lane. */
  private void settle(long nowNs) {
    if (preferred != current && preferred != null && (current == null || cursor == out.first())) {
      promote(nowNs);
    }
    if (current != null && (isAckDue(nowNs) || isSendable())) {
      current.pump(nowNs);
    }
  }

  private boolean isSendable() {
    return cursor < out.next() && cursor <= limit;
  }

  private void promote(long nowNs) {
    Lane before = current;
    current = preferred;
    cursor = out.first();
    if (before != null && spec.connects()) {
      before.leave(Goodbye.Reason.SWITCHED, nowNs);
    }
  }

  /** Whether a receiving call has its packet. */
  boolean isServed() {
    return served;
  }

  /** Whether a frame has to wait for room. */
  boolean isFull(long number) {
    return number == delivered + 1 && in.room() == 0;
  }

  /**
   * A numbered frame.
   *
   * @return empty, or its fault
   */
  String take(MemorySegment frame, long at, int kind, int length, long nowNs) {
    long number = IsleFrame.number(frame, at);
    if (kind == IsleFrame.DATA ? length != spec.packetBytes() : !Packets.holdControl(bytes())) {
      return "a frame of kind "
          + kind
          + " has "
          + length
          + " bytes, the packets of the ring have "
          + spec.packetBytes();
    }
    if (number <= delivered) {
      meter.add(LinkMeter.DUPLICATES, 1);
      return "";
    }
    if (number != delivered + 1) {
      return "frame " + number + " came after frame " + delivered;
    }
    long payload = at + IsleFrame.HEADER_BYTES;
    if (target != null && !served && in.isEmpty()) {
      ReceiveQueue.unpack(kind, frame, payload, length, target, targetOffset, bytes());
      control = kind == IsleFrame.CONTROL;
      served = true;
    } else {
      in.put(kind, frame, payload, length);
    }
    delivered = number;
    echo = IsleFrame.time(frame, at);
    echoNs = nowNs;
    meter.received(bytes());
    awaitAck(nowNs);
    return "";
  }

  private int bytes() {
    return spec.packetBytes();
  }

  private void awaitAck(long nowNs) {
    if (ackNs == Long.MAX_VALUE) {
      ackNs = nowNs + ACK_NS;
    }
  }

  private boolean isAckDue(long nowNs) {
    int half = Math.max(1, out.window() / 2);
    return nowNs >= ackNs
        || delivered - acknowledged >= half
        || delivered + in.room() - advertised >= half;
  }

  /** An acknowledgement. */
  String acknowledged(Lane lane, MemorySegment frame, long at, long nowNs) {
    String fault = Ack.fault(frame, at, written);
    if (fault.isEmpty()) {
      acknowledge(lane, Ack.delivered(frame, at), Ack.window(frame, at));
      measure(lane, Ack.echo(frame, at), Ack.heldNs(frame, at), nowNs);
    }
    return fault;
  }

  /** A heartbeat. */
  String beaten(Lane lane, MemorySegment frame, long at, long nowNs) {
    String fault = Heartbeat.fault(frame, at, 0, written);
    if (fault.isEmpty()) {
      acknowledge(lane, Heartbeat.delivered(frame, at), Heartbeat.window(frame, at));
      measure(lane, Heartbeat.echo(frame, at), Heartbeat.heldNs(frame, at), nowNs);
      lane.wire().announced(Heartbeat.sent(frame, at), delivered, nowNs);
      peerWork = Heartbeat.work(frame, at);
      peerWorkNs = Heartbeat.workAgeNs(frame, at);
      events.beat(frame, at, nowNs);
    }
    return fault;
  }

  private void acknowledge(Lane lane, long to, int window) {
    int ended = out.acknowledge(to);
    cursor = Math.max(cursor, to + 1);
    limit = Math.max(limit, to + window);
    if (ended > 0) {
      lane.wire().acknowledged(out.first());
    }
  }

  private void measure(Lane lane, long sent, long heldNs, long nowNs) {
    if (sent != 0 && sent - lane.begunNs() >= 0) {
      hop.add(nowNs - sent - heldNs);
    }
  }

  /** Sends the next numbered frame; false for none. */
  boolean sendNext(Lane lane, long nowNs) {
    if (lane.wire().repair(lane.port(), out, nowNs)) {
      return true;
    }
    if (lane != current || preferred != current || !isSendable()) {
      return false;
    }
    long number = cursor++;
    if (number <= written) {
      meter.add(LinkMeter.REPAIRED, 1);
    }
    written = Math.max(written, number);
    boolean ignored = lane.sendNumbered(out.frame(number), out.bytes(number), number, nowNs);
    return true;
  }

  /** Composes the next frame without a number, but for greetings and heartbeats. */
  int own(Lane lane, OwnFrame own, long nowNs) {
    if (lane == current && isAckDue(nowNs)) {
      int bytes = Ack.BYTES;
      Ack.write(own.memory, OwnFrame.PAYLOAD, delivered, echo, held(nowNs), told());
      return own.seal(IsleFrame.ACK, bytes, nowNs);
    }
    int request = lane.wire().request(own, nowNs);
    if (request > 0) {
      return request;
    }
    return lane == current ? news.compose(own, nowNs) : 0;
  }

  /** The credit that the neighbour is told now. */
  private int told() {
    acknowledged = delivered;
    advertised = delivered + in.room();
    ackNs = Long.MAX_VALUE;
    return in.room();
  }

  private long held(long nowNs) {
    return echo == 0 ? 0 : Math.max(0, nowNs - echoNs);
  }

  int heartbeat(OwnFrame own, long nowNs) {
    Heartbeat.link(own.memory, OwnFrame.PAYLOAD, written, delivered, echo, held(nowNs), told());
    events.state(own.memory, OwnFrame.PAYLOAD, nowNs);
    return own.seal(IsleFrame.HEARTBEAT, Heartbeat.BYTES, nowNs);
  }

  /** Sends a notice or a roll call as soon as a path is up. */
  void post(int kind, byte[] payload, long nowNs) {
    news.add(kind, payload);
    if (current != null) {
      current.pump(nowNs);
    }
  }

  long written() {
    return written;
  }

  void countMalformed() {
    meter.add(LinkMeter.MALFORMED, 1);
  }

  Hello hello(boolean reply) {
    return new Hello(
        reply,
        spec.ring(),
        spec.node(),
        spec.role(),
        session,
        peerSession,
        delivered,
        spec.packetBytes(),
        out.window(),
        spec.heartbeatMs(),
        spec.address());
  }

  /** Why the numbers of a greeting cannot be; empty if they can. */
  String unknown(Hello theirs) {
    long known = theirs.peerSession() == session ? theirs.delivered() : 0;
    boolean same = theirs.session() == peerSession;
    return same && (known > written || known < out.first() - 1)
        ? "delivered: the peer has " + known + ", of the frames " + out.first() + " to " + written
        : "";
  }

  boolean isPeer(Hello theirs) {
    return theirs.session() == peerSession;
  }

  /** The greetings of a lane are exchanged. */
  void greeted(Lane lane, Hello theirs, long nowNs) {
    boolean restarted = peerSession != 0 && theirs.session() != peerSession;
    if (theirs.session() != peerSession) {
      if (restarted) {
        forgetPeer();
      }
      peerSession = theirs.session();
    }
    peer = theirs;
    acknowledge(lane, theirs.peerSession() == session ? theirs.delivered() : 0, 0);
    lane.wire().greeted(delivered, nowNs);
    ackNs = nowNs;
    meter.add(LinkMeter.PATHS, 1);
    view.getAndIncrement();
    preferred = lane;
    if (current == null) {
      promote(nowNs);
    }
    events.greeted(theirs, restarted);
  }

  /** What was sent to the session of before died with it. */
  private void forgetPeer() {
    if (!out.isEmpty()) {
      lost = out.first();
    }
    meter.add(LinkMeter.LOST, out.restart());
    delivered = 0;
    acknowledged = 0;
    advertised = 0;
    echo = 0;
    cursor = 1;
    written = 0;
    limit = 0;
  }

  /** A lane is down. */
  void ended(Lane lane, boolean wasUp, boolean silent, String why) {
    if (lane == preferred || lane == current) {
      Lane other = null;
      for (int i = 0; i < lanes.size(); i++) {
        if (lanes.get(i).isUp()) {
          other = lanes.get(i);
        }
      }
      preferred = other;
      if (lane == current) {
        current = other;
        cursor = out.first();
      }
    }
    view.getAndIncrement();
    if (wasUp && current == null) {
      events.lost(silent, why);
    }
  }

  /**
   * Drives all lanes.
   *
   * @return the time of the next call without an event
   */
  long poll(long nowNs) {
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).forgivePause(nowNs);
    }
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).poll(nowNs);
    }
    settle(nowNs);
    return deadline();
  }

  /** The time of the next call of {@link #poll} without an event. */
  long deadline() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < lanes.size(); i++) {
      Lane lane = lanes.get(i);
      next = Math.min(next, lane.deadline(lane == current ? ackNs : Long.MAX_VALUE));
    }
    return next;
  }

  /** Whether bytes wait for room on a path. */
  boolean isSending() {
    for (int i = 0; i < lanes.size(); i++) {
      if (lanes.get(i).isSending()) {
        return true;
      }
    }
    return false;
  }

  /** Whether frames in the window are not sent yet. */
  boolean hasBacklog() {
    return current != null && (cursor < out.next() || isSending());
  }

  /**
   * Descriptors to wait for.
   *
   * @param reads whether bytes of the peer are events
   */
  void interests(RingPort.Interests interests, boolean reads) {
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).interests(interests, reads);
    }
  }

  /** Adds the ports of all lanes. */
  void shape(Shape shape) {
    for (int i = 0; i < lanes.size(); i++) {
      shape.add(lanes.get(i).port());
    }
  }

  /** A number that changes with the state. Any thread. */
  long view() {
    return view.get();
  }

  /** Ends all paths on purpose. */
  void leave(Goodbye.Reason why, long nowNs) {
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).leave(why, nowNs);
    }
  }
}
