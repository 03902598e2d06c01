package io.isle.fabric.ring.node;

import static io.isle.api.base.Errno.EBUSY;
import static io.isle.api.base.Errno.ECLOSED;
import static io.isle.api.base.Errno.EPERM;
import static io.isle.api.base.Errno.EREVOKED;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingListener;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.tenancy.Capability;
import io.isle.fabric.ring.link.Caller;
import io.isle.lib.leap.Control;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** A tenant's endpoint of a master. */
final class Endpoint implements RingEndpoint {
  /** Longest wait for an acknowledgement. */
  private static final long RESIZE_NS = 5_000_000_000L;

  private final RingNode node;
  private final MasterEnd end;
  private final Capability capability;
  private final ControlRecord record;
  private final Runnable onClose;
  private final EndpointSlots slots = new EndpointSlots();
  private final Caller caller = this::refusal;
  private final int bytes;
  private final ClaimedPacket claimed;
  private volatile boolean closed;

  Endpoint(
      RingNode node, MasterEnd end, Capability capability, ControlRecord record, Runnable onClose) {
    this.node = node;
    this.end = end;
    this.capability = capability;
    this.record = record;
    this.onClose = onClose;
    bytes = node.settings().packetBytes();
    claimed = new ClaimedPacket(bytes);
  }

  private int refusal() {
    return isRevoked() ? -EREVOKED : closed ? -ECLOSED : 0;
  }

  boolean isRevoked() {
    return !capability.valid();
  }

  /** A closed endpoint keeps its rights for ever. */
  private int busy() {
    int refusal = refusal();
    return refusal < 0 ? refusal : -EBUSY;
  }

  @Override
  public String node() {
    return node.name();
  }

  @Override
  public int packetBytes() {
    return bytes;
  }

  @Override
  public RingNodeInfo info() {
    return node.info();
  }

  @Override
  public long sendNext(MemorySegment packet, long offset, long length, long timeoutNs) {
    return sendNext(packet, 0, packet, offset, length, timeoutNs);
  }

  @Override
  public long sendNext(
      MemorySegment header,
      long headerLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs) {
    int wrong = CallArguments.sent(header, headerLength, data, offset, length, timeoutNs, bytes);
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryEnterSender()) {
      return busy();
    }
    try {
      int refusal = refusal();
      return refusal < 0
          ? refusal
          : end.send(header, headerLength, data, offset, length, timeoutNs, caller);
    } finally {
      slots.leaveSender();
    }
  }

  @Override
  public long recvPrev(MemorySegment into, long offset, long length, long timeoutNs) {
    int wrong = CallArguments.received(into, offset, length, timeoutNs, bytes);
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryEnterReceiver()) {
      return busy();
    }
    try {
      int refusal = refusal();
      return refusal < 0 ? refusal : end.receive(into, offset, timeoutNs, caller);
    } finally {
      slots.leaveReceiver();
    }
  }

  @Override
  public long sendPrev(MemorySegment packet, long offset, long length, long timeoutNs) {
    int wrong = CallArguments.backward(node.links().prev);
    if (wrong == 0) {
      wrong = CallArguments.sent(packet, 0, packet, offset, length, timeoutNs, bytes);
    }
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryEnterSender()) {
      return busy();
    }
    try {
      int refusal = refusal();
      return refusal < 0
          ? refusal
          : node.links().prev.send(packet, 0, packet, offset, length, timeoutNs, caller);
    } finally {
      slots.leaveSender();
    }
  }

  @Override
  public long recvNext(MemorySegment into, long offset, long length, long timeoutNs) {
    int wrong = CallArguments.backward(node.links().next);
    if (wrong == 0) {
      wrong = CallArguments.received(into, offset, length, timeoutNs, bytes);
    }
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryEnterReceiver()) {
      return busy();
    }
    try {
      int refusal = refusal();
      return refusal < 0 ? refusal : node.links().next.receive(into, offset, timeoutNs, caller);
    } finally {
      slots.leaveReceiver();
    }
  }

  @Override
  public long claimNext(long timeoutNs) {
    int wrong = CallArguments.timeout(timeoutNs);
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryEnterSender()) {
      return busy();
    }
    int refusal = refusal();
    if (refusal < 0) {
      slots.leaveSender();
      return refusal;
    }
    boolean begun = false;
    try {
      claimed.begin(node.links().next);
      begun = true;
      return bytes;
    } finally {
      if (begun) {
        slots.claim();
      } else {
        slots.leaveSender();
      }
    }
  }

  @Override
  public MemorySegment claimed() {
    return claimed.memory();
  }

  @Override
  public long commitNext(long timeoutNs) {
    int wrong = CallArguments.timeout(timeoutNs);
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryResume()) {
      int refusal = refusal();
      return refusal < 0 ? refusal : -EPERM;
    }
    long sent = refusal();
    boolean over = sent < 0;
    try {
      if (!over) {
        sent = end.commit(claimed, timeoutNs, caller);
        over = sent > 0;
      }
      if (over) {
        claimed.end(node.links().next);
      }
      return sent;
    } finally {
      if (over) {
        slots.leaveSender();
      } else {
        slots.claim();
      }
    }
  }

  @Override
  public void abandonNext() {
    if (slots.tryResume()) {
      claimed.end(node.links().next);
      slots.leaveSender();
    }
  }

  @Override
  public long sendControl(MemorySegment message, long offset, long timeoutNs) {
    int wrong = CallArguments.memory(message, offset, Control.MESSAGE_BYTES, timeoutNs);
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryEnterSender()) {
      return busy();
    }
    try {
      int refusal = refusal();
      return refusal < 0 ? refusal : end.sendControl(message, offset, timeoutNs, caller);
    } finally {
      slots.leaveSender();
    }
  }

  @Override
  public long pollControl(MemorySegment into, long offset) {
    int wrong = CallArguments.memory(into, offset, Control.MESSAGE_BYTES, 0);
    if (wrong != 0) {
      return wrong;
    }
    if (!slots.tryEnterReceiver()) {
      return busy();
    }
    try {
      int refusal = refusal();
      return refusal < 0 ? refusal : end.pollControl(into, offset);
    } finally {
      slots.leaveReceiver();
    }
  }

  @Override
  public List<LayerRange> resize(List<Integer> boundaries) {
    return record.resize(boundaries, () -> resize(boundaries, RESIZE_NS));
  }

  List<LayerRange> resize(List<Integer> boundaries, long limitNs) {
    return new Resize(node, end, slots, caller, limitNs).run(boundaries);
  }

  @Override
  public Optional<RingLoss> lastLoss() {
    return node.links().prev.lastLoss();
  }

  @Override
  public void listen(RingListener listener) {
    node.listen(listener);
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    slots.close(node.links()::wake);
    claimed.close(node.links().next);
    end.forget();
    onClose.run();
  }
}
