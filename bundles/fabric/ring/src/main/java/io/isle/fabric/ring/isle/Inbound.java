package io.isle.fabric.ring.isle;

import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.Packets;
import io.isle.lib.leap.isle.Ack;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The numbered frames that a link receives: delivered by number, once, in order, and acknowledged.
 * One thread at a time. Allocates nothing once each place of the queue was used.
 */
final class Inbound {
  /** Longest time from the arrival of a frame to its acknowledgement. */
  private static final long ACK_NS = 1_000_000;

  private final LinkMeter meter;
  private final ReceiveQueue queue;
  private final int packetBytes;
  private final IsleSpec spec;

  /** Frames that an idle link acknowledges. */
  private final int few;

  /** Most frames that the path takes beyond the delivered ones. */
  private int path;

  /** As many of them as have a place. */
  private int ahead;

  /** Frames after which an acknowledgement is due. */
  private int due;

  /** Number of the last frame that arrived in order. */
  private long delivered;

  private long acknowledged;
  private long advertised;
  private long ackNs = Long.MAX_VALUE;
  private long echo;
  private long echoNs;

  private final Aim aim;
  private boolean control;

  Inbound(IsleSpec spec, LinkMeter meter, Arena arena) {
    this.meter = meter;
    queue = new ReceiveQueue(spec, arena);
    packetBytes = spec.packetBytes();
    aim = new Aim(packetBytes);
    this.spec = spec;
    few = spec.framesInCache();
    ahead(spec.frames());
  }

  /** The path of the frames takes so many beyond the delivered ones. */
  void ahead(int frames) {
    if (frames != path) {
      path = frames;
      ahead = Math.min(frames, spec.frames());
      due = spec.acknowledged(ahead);
    }
  }

  /** Frames beyond the delivered one that there is room for. */
  private int room() {
    return Math.min(queue.room(), ahead);
  }

  /** Number of the last frame that arrived in order. */
  long delivered() {
    return delivered;
  }

  /** Number of the last received packet that does not wait in the queue. */
  long received() {
    return delivered - queue.count();
  }

  /** Whether a packet waits for a receiving call. */
  boolean hasPacket() {
    return !queue.isEmpty();
  }

  /** Whether the last received packet is a control message. */
  boolean isControl() {
    return control;
  }

  /** The next packet, which stays; null if none is here. */
  MemorySegment peek() {
    return queue.isEmpty() ? null : queue.peek();
  }

  /** Whether the packet of {@link #peek} is a control message. */
  boolean isControlNext() {
    return queue.isControl();
  }

  /** Moves the next packet of the queue; false without one. */
  boolean deliver(MemorySegment into, long offset, long nowNs) {
    if (queue.isEmpty()) {
      return false;
    }
    MemorySegment.copy(queue.peek(), 0, into, offset, packetBytes);
    control = queue.isControl();
    remove(nowNs);
    return true;
  }

  /** Removes the packet of {@link #peek}. */
  void remove(long nowNs) {
    queue.remove();
    if (delivered + room() > advertised) {
      awaitAck(nowNs);
    }
  }

  /** The next packet belongs into this memory. */
  void aim(MemorySegment into, long offset) {
    aim.begin(into, offset);
  }

  /** Ends {@link #aim}; whether a packet has come. */
  boolean endAim() {
    return aim.end();
  }

  /** Whether a receiving call has its packet. */
  boolean isServed() {
    return aim.isServed();
  }

  /** Where the packet of this frame goes at once; null if it has to stay in the queue. */
  Aim aim(long number) {
    return number == delivered + 1 && queue.isEmpty() && aim.isOpen() ? aim : null;
  }

  /** Whether a frame has to wait for room. */
  boolean isFull(long number) {
    return number == delivered + 1 && queue.room() == 0;
  }

  /**
   * A numbered frame.
   *
   * @return empty, or its fault
   */
  String take(MemorySegment frame, long at, int kind, int length, long nowNs) {
    long number = IsleFrame.number(frame, at);
    if (kind == IsleFrame.DATA ? length != packetBytes : !Packets.holdControl(packetBytes)) {
      return "a frame of kind "
          + kind
          + " has "
          + length
          + " bytes, the packets of the ring have "
          + packetBytes;
    }
    if (number <= delivered) {
      meter.add(LinkMeter.DUPLICATES, 1);
      return "";
    }
    if (number != delivered + 1) {
      return "frame " + number + " came after frame " + delivered;
    }
    long payload = at + IsleFrame.HEADER_BYTES;
    Aim to = aim(number);
    if (to != null && to.serve(kind, frame, payload, length)) {
      control = kind == IsleFrame.CONTROL;
    } else {
      queue.put(kind, frame, payload, length);
    }
    delivered = number;
    echo = IsleFrame.time(frame, at);
    echoNs = nowNs;
    meter.received(packetBytes);
    awaitAck(nowNs);
    return "";
  }

  private void awaitAck(long nowNs) {
    if (ackNs == Long.MAX_VALUE) {
      ackNs = nowNs + ACK_NS;
    }
  }

  /** An acknowledgement is due at once. */
  void acknowledgeNow(long nowNs) {
    ackNs = nowNs;
  }

  /** Time of the next acknowledgement; MAX_VALUE for none. */
  long ackNs() {
    return ackNs;
  }

  /** The link has nothing else to do: acknowledges what is worth an acknowledgement. */
  void idle(long nowNs) {
    if (delivered - acknowledged >= few) {
      ackNs = nowNs;
    }
  }

  boolean isAckDue(long nowNs) {
    return nowNs >= ackNs
        || delivered - acknowledged >= due
        || delivered + room() - advertised >= due;
  }

  /** Composes an acknowledgement. */
  int acknowledgement(OwnFrame own, long nowNs) {
    Ack.write(own.memory, OwnFrame.PAYLOAD, delivered, echo, held(nowNs), told());
    return own.seal(IsleFrame.ACK, Ack.BYTES, nowNs);
  }

  /** Writes the part of a heartbeat on this link. */
  void heartbeat(OwnFrame own, long written, long nowNs) {
    Heartbeat.link(own.memory, OwnFrame.PAYLOAD, written, delivered, echo, held(nowNs), told());
  }

  /** The credit that the neighbour is told now. */
  private int told() {
    acknowledged = delivered;
    advertised = delivered + room();
    ackNs = Long.MAX_VALUE;
    return room();
  }

  private long held(long nowNs) {
    return echo == 0 ? 0 : Math.max(0, nowNs - echoNs);
  }

  /** Another session of the neighbour begins; its packets in the queue stay. */
  void restart() {
    delivered = 0;
    acknowledged = 0;
    advertised = 0;
    echo = 0;
  }
}
