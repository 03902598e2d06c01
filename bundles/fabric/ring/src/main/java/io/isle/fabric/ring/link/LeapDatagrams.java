package io.isle.fabric.ring.link;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.ENODATA;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.ChunkWriter;
import io.isle.lib.leap.Chunks;
import io.isle.lib.leap.Reassembly;
import io.isle.lib.leap.ReassemblyRules;
import io.isle.lib.leap.Sequence;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Packets of dialect leap on datagrams: chunks of a frame each packet, never repaired. */
final class LeapDatagrams implements Framing {
  /** A batch of datagrams that the kernel joined. */
  private static final int ARRIVED_BYTES = 1 << 16;

  private final LinkMeter meter;
  private final Reassembly reassembly;
  private final MemorySegment arrived;
  private final ChunkWriter writer = new ChunkWriter(ChunkHeader.LEAP);
  private final MemorySegment batch;

  /** The packet whose end is sent later. */
  private final MemorySegment rest;

  private final int packet;
  private int sequence = ChunkHeader.FIRST_SEQUENCE;
  private boolean begun;
  private boolean resting;

  /** The number of paths of the port when the last datagrams arrived. */
  private long paths;

  private long batchFrom;
  private long batchTo;

  private volatile String reason = "";

  /** Number, arrived chunks and all chunks of the last loss in 16 bits each; negative for none. */
  private volatile long lost = -1;

  LeapDatagrams(int packetBytes, long reassemblyBytes, long frameNs, LinkMeter meter, Arena arena) {
    this.packet = packetBytes;
    this.meter = meter;
    reassembly = new Reassembly(ReassemblyRules.leap(packetBytes, reassemblyBytes, frameNs), arena);
    arrived = arena.allocate(ARRIVED_BYTES, 64);
    batch = arena.allocate(Chunks.MAX_BATCH_BYTES, 64);
    rest = arena.allocate(packetBytes, 64);
  }

  @Override
  public void beginReceive(MemorySegment into, long offset) {}

  @Override
  public long receive(RingPort port, MemorySegment into, long offset, long nowNs) {
    while (true) {
      takeBeforeLoss((DatagramPort) port, nowNs);
      int next = reassembly.poll(nowNs);
      if (next == Reassembly.FRAME) {
        int bytes = reassembly.deliver(into, offset);
        meter.received(bytes);
        return bytes;
      }
      if (next == Reassembly.LOST) {
        lose();
        return -ENODATA;
      }
      int passed = arrive((DatagramPort) port, into, offset, nowNs);
      if (passed != 0) {
        return passed;
      }
    }
  }

  /** Datagrams that wait in the system may complete the frame whose time is over. */
  private void takeBeforeLoss(DatagramPort port, long nowNs) {
    while (nowNs >= reassembly.deadline() && arrive(port, nowNs)) {
      // until the frame is complete, lost for another reason, or nothing waits
    }
  }

  private void lose() {
    lost =
        (long) reassembly.sequence() << 32
            | (long) reassembly.lostChunks() << 16
            | reassembly.lostTotal();
    reassembly.skip();
    meter.add(LinkMeter.LOST, 1);
  }

  private boolean arrive(DatagramPort port, long nowNs) {
    return arrive(port, null, 0, nowNs) == 0;
  }

  /**
   * Takes the datagrams of one call.
   *
   * @param into where the next packet goes if it is a datagram of its own; null for nowhere
   * @return bytes of this packet; 0 without one; -EAGAIN without a datagram
   */
  private int arrive(DatagramPort port, MemorySegment into, long offset, long nowNs) {
    long bytes = port.receive(arrived, 0, ARRIVED_BYTES);
    if (bytes <= 0) {
      return -EAGAIN;
    }
    int segment = port.segment();
    if (hasValid(bytes, segment)) {
      port.accept(nowNs);
      follow(port);
      if (!reason.isEmpty()) {
        reason = "";
      }
    } else if (segment >= ChunkHeader.BYTES && ChunkHeader.magic(arrived, 0) == ChunkHeader.ISLE) {
      reason = SPEAKS_ISLE;
    }
    if (into != null && bytes <= segment) {
      int passed = reassembly.pass(arrived, 0, (int) bytes, into, offset, nowNs);
      if (passed > 0) {
        meter.received(passed);
        return passed;
      }
    }
    for (long at = 0; at < bytes; at += segment) {
      meter.arrived(reassembly.accept(arrived, at, (int) Math.min(segment, bytes - at), nowNs));
    }
    return 0;
  }

  private boolean hasValid(long bytes, int segment) {
    for (long at = 0; at < bytes; at += segment) {
      if (reassembly.isValid(arrived, at, (int) Math.min(segment, bytes - at))) {
        return true;
      }
    }
    return false;
  }

  /** Another source has numbers of its own. */
  private void follow(RingPort port) {
    if (port.paths() != paths) {
      if (paths != 0) {
        reassembly.restart();
      }
      paths = port.paths();
    }
  }

  @Override
  public void endReceive(MemorySegment into, long offset) {}

  @Override
  public MemorySegment peek(RingPort port, long nowNs) {
    do {
      takeBeforeLoss((DatagramPort) port, nowNs);
      int next = reassembly.poll(nowNs);
      if (next != Reassembly.NOTHING) {
        return next == Reassembly.FRAME ? reassembly.frame() : null;
      }
    } while (arrive((DatagramPort) port, nowNs));
    return null;
  }

  @Override
  public void take() {
    meter.received(reassembly.frameBytes());
    reassembly.release();
  }

  @Override
  public long send(
      RingPort port,
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long nowNs) {
    if (!flush(port, nowNs)) {
      return -EAGAIN;
    }
    if (!begun) {
      writer.begin(sequence, 0, head, 0, (int) headLength, data, offset, (int) length);
      begun = true;
    }
    return sendChunks((DatagramPort) port);
  }

  private long sendChunks(DatagramPort port) {
    while (true) {
      if (batchFrom == batchTo) {
        batchFrom = 0;
        batchTo = writer.fill(batch, 0, Chunks.MAX_BATCH);
        if (batchTo == 0) {
          endFrame();
          meter.sent(packet);
          return packet;
        }
      }
      long sent = port.send(batch, batchFrom, batchTo - batchFrom, ChunkHeader.DATAGRAM_BYTES);
      if (sent <= 0) {
        if (sent != 0 && sent != -EAGAIN && sent != -ENOTCONN) {
          endFrame();
        }
        return sent == 0 ? -EAGAIN : sent;
      }
      batchFrom += sent;
    }
  }

  private void endFrame() {
    writer.end();
    begun = false;
    resting = false;
    batchFrom = 0;
    batchTo = 0;
    sequence = Sequence.plus(sequence, 1);
  }

  @Override
  public long endSend(
      MemorySegment head, long headLength, MemorySegment data, long offset, long length) {
    if (!begun || resting) {
      return 0;
    }
    boolean none = batchFrom == 0 && writer.next() <= Chunks.MAX_BATCH;
    int next = writer.next();
    writer.end();
    begun = false;
    if (none) {
      batchTo = 0;
      return 0;
    }
    MemorySegment.copy(head, 0, rest, 0, headLength);
    MemorySegment.copy(data, offset, rest, headLength, length);
    writer.begin(sequence, 0, rest, 0, packet);
    writer.seek(next);
    resting = true;
    return headLength + length;
  }

  @Override
  public boolean flush(RingPort port, long nowNs) {
    return !resting || sendChunks((DatagramPort) port) > 0;
  }

  @Override
  public void reset() {
    if (begun || resting) {
      meter.add(LinkMeter.CUT, 1);
      endFrame();
    }
    if (paths != 0) {
      reassembly.restart();
      paths = 0;
    }
  }

  @Override
  public Optional<RingLoss> loss() {
    long last = lost;
    return last < 0
        ? Optional.empty()
        : Optional.of(new RingLoss(last >>> 32, (int) (last >>> 16) & 0xFFFF, (int) last & 0xFFFF));
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public long deadlineNs() {
    return reassembly.deadline();
  }
}
