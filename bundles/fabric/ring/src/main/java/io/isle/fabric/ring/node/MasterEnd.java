package io.isle.fabric.ring.node;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.EINVAL;
import static io.isle.api.base.Errno.EMSGSIZE;
import static io.isle.api.base.Errno.ERANGE;
import static io.isle.api.base.Errno.ETIME;

import io.isle.api.fabric.Dialect;
import io.isle.fabric.ring.link.Caller;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.ControlReader;
import io.isle.lib.leap.ControlWriter;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The packets of a master: which may be sent, which are delivered. One thread sends, one receives;
 * they hold the rights of {@link EndpointSlots}.
 */
final class MasterEnd {
  /** Packets for nobody that a call without a timeout takes. */
  private static final int MOST_OTHERS = 64;

  private final NodeLinks links;
  private final int bytes;
  private final MemorySegment outgoing;
  private final MemorySegment received;
  private final KeptPackets kept = new KeptPackets();
  private final ControlReader receivedControl = new ControlReader();
  private final ControlReader sentControl = new ControlReader();
  private final AtomicInteger position = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();
  private final Division division;
  private volatile Acknowledgement awaited;

  /** Of the last polled control packet; the receiving thread's. */
  private boolean repeated;

  /**
   * @param callRoll makes the node call the roll
   */
  MasterEnd(
      String node, NodeLinks links, NodeSettings settings, LongConsumer callRoll, Arena arena) {
    this.links = links;
    bytes = settings.packetBytes();
    MemorySegment memory = arena.allocate(bytes, 64);
    division = new Division(node, settings, memory, links::offerControl, callRoll);
    outgoing = arena.allocate(bytes, 64);
    received = arena.allocate(bytes, 64);
  }

  Division division() {
    return division;
  }

  int position() {
    return position.get();
  }

  void position(int next) {
    position.set(next);
  }

  long dropped() {
    return dropped.get();
  }

  /** Memory for one packet of the sending thread. */
  MemorySegment outgoing() {
    return outgoing;
  }

  /** Memory for one packet of the receiving thread of a resize. */
  MemorySegment scratch() {
    return received;
  }

  KeptPackets kept() {
    return kept;
  }

  /** The tenant is gone: packets that were kept for the tenant go, too. */
  void forget() {
    while (!kept.isEmpty()) {
      kept.remove();
    }
  }

  /** The acknowledgement that receiving calls look for; null for none. */
  void awaited(Acknowledgement next) {
    awaited = next;
  }

  /** Sends an activation of two parts; the first 8 bytes may lie in both. */
  long send(
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs,
      Caller caller) {
    int pos = bytes < Packets.HEADER_BYTES ? 0 : pos(head, headLength, data, offset);
    boolean leap = links.next.spec().dialect() == Dialect.LEAP;
    if (leap && bytes >= Packets.HEADER_BYTES && Packets.looksLikeControl(pos)) {
      return -ERANGE;
    }
    long sent = links.next.send(head, headLength, data, offset, length, timeoutNs, caller);
    if (sent > 0) {
      position.setRelease(pos + 1);
    }
    return sent;
  }

  /** Sends a claimed packet. */
  long commit(ClaimedPacket claimed, long timeoutNs, Caller caller) {
    MemorySegment packet = claimed.memory();
    if (!claimed.isOfLink()) {
      return send(packet, 0, packet, 0, bytes, timeoutNs, caller);
    }
    int pos = bytes < Packets.HEADER_BYTES ? 0 : Packets.pos(packet, 0);
    long sent = links.next.commit(packet, timeoutNs, caller);
    if (sent > 0) {
      position.setRelease(pos + 1);
    }
    return sent;
  }

  private static int pos(MemorySegment head, long headLength, MemorySegment data, long offset) {
    if (headLength >= Integer.BYTES) {
      return Packets.pos(head, 0);
    }
    int pos = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      byte part =
          i < headLength
              ? head.get(ValueLayout.JAVA_BYTE, i)
              : data.get(ValueLayout.JAVA_BYTE, offset + i - headLength);
      pos |= (part & 0xFF) << (8 * i);
    }
    return pos;
  }

  /** Sends a control message of 162 bytes. */
  long sendControl(MemorySegment message, long offset, long timeoutNs, Caller caller) {
    if (!sentControl.message(message, offset)) {
      return -EINVAL;
    }
    if (ControlWriter.packet(outgoing, 0, bytes, message, offset) < 0) {
      return -EMSGSIZE;
    }
    long sent = sendOutgoingControl(timeoutNs, caller);
    if (sent > 0 && sentControl.type() != Control.ACK) {
      division.byTenant(System.nanoTime());
    }
    return sent;
  }

  /** Sends the control packet in {@link #outgoing}. */
  long sendOutgoingControl(long timeoutNs, Caller caller) {
    return links.next.sendControl(outgoing, timeoutNs, caller);
  }

  /** Receives the next packet that is for the tenant. */
  long receive(MemorySegment into, long offset, long timeoutNs, Caller caller) {
    if (!kept.isEmpty()) {
      MemorySegment packet = kept.peek();
      MemorySegment.copy(packet, 0, into, offset, packet.byteSize());
      kept.remove();
      return bytes;
    }
    long left = timeoutNs;
    long end = 0;
    for (int others = 0; ; others++) {
      long result = links.prev.receive(into, offset, left, caller);
      if (result <= 0 || isForTenant(into, offset)) {
        return result;
      }
      if (timeoutNs > 0) {
        // the clock is asked for the first time behind a packet that is not for the tenant
        long now = System.nanoTime();
        end = end == 0 ? now + links.prev.leftNs(timeoutNs) : end;
        left = end - now;
        if (left <= 0) {
          return -ETIME;
        }
      } else if (others == MOST_OTHERS) {
        return -EAGAIN;
      }
    }
  }

  /** Neither the awaited acknowledgement nor a packet without a requested reply. */
  boolean isForTenant(MemorySegment packet, long offset) {
    if (bytes < Packets.HEADER_BYTES) {
      return true;
    }
    boolean control =
        links.prev.mayBeControl()
            && Packets.looksLikeControl(packet, offset, bytes)
            && receivedControl.packet(packet, offset, bytes);
    if (control) {
      Acknowledgement expected = awaited;
      return (expected == null || !expected.isIn(receivedControl)) && !isOfRepeat();
    }
    if (Packets.flags(packet, offset) == Packets.NO_REPLY) {
      dropped.getAndIncrement();
      return false;
    }
    return true;
  }

  /**
   * Whether a control packet belongs to a division that the ring has repeated by itself: its
   * acknowledgement, or the message, if no worker follows any more.
   */
  private boolean isOfRepeat() {
    return links.prev.spec().dialect() == Dialect.ISLE && division.ownsAcknowledgements();
  }

  /** Takes the next packet if it is a control packet. */
  long pollControl(MemorySegment into, long offset) {
    if (!kept.isEmpty()) {
      MemorySegment packet = kept.peek();
      if (!copyControl(packet, into, offset)) {
        return -EAGAIN;
      }
      kept.remove();
      return Control.MESSAGE_BYTES;
    }
    long taken;
    do {
      repeated = false;
      taken = links.prev.take((packet, may) -> may && isControl(packet, into, offset));
    } while (taken > 0 && repeated);
    return taken < 0 ? taken : Control.MESSAGE_BYTES;
  }

  /** Copies a control packet, unless it is for this node alone. */
  private boolean isControl(MemorySegment packet, MemorySegment into, long offset) {
    boolean control = copyControl(packet, into, offset);
    repeated = control && isOfRepeat();
    return control;
  }

  private boolean copyControl(MemorySegment packet, MemorySegment into, long offset) {
    if (!receivedControl.packet(packet, 0, bytes)) {
      return false;
    }
    MemorySegment.copy(packet, Control.MARKER_BYTES, into, offset, Control.MESSAGE_BYTES);
    return true;
  }
}
