package io.isle.fabric.ring.isle;

import static io.isle.api.base.Errno.EAGAIN;

import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.Arrival;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.ChunkWriter;
import io.isle.lib.leap.Chunks;
import io.isle.lib.leap.Reassembly;
import io.isle.lib.leap.ReassemblyRules;
import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Frames as chunks in datagrams. Numbered frames are made whole by requests for missing chunks;
 * other frames fit in one datagram each, and may get lost. A datagram that no node of the ring
 * sends is counted and ignored.
 */
final class DatagramWire implements Wire {
  /** A batch of datagrams that the kernel joined. */
  private static final int ARRIVED_BYTES = 1 << 16;

  /** Field of a chunk: the frame has no number. */
  private static final int UNNUMBERED = 1;

  private static final int NUMBERS = 0xFFFF;

  private final int packetBytes;
  private final LinkMeter meter;
  private final Reassembly reassembly;
  private final Gaps gaps;
  private final Repairs repairs;
  private final MemorySegment arrivals;
  private final FrameCrc arrivalCheck;
  private final FrameChecks checks = new FrameChecks();
  private MemorySegment whole = MemorySegment.NULL;
  private long at;
  private boolean isWhole;
  private boolean again;
  private int batchAt;
  private int batchEnd;
  private int segment;
  private boolean greeted;
  private long arrived;
  private String fault = "";

  private final ChunkWriter writer = new ChunkWriter(ChunkHeader.ISLE);
  private final MemorySegment batch;
  private long outFrom;
  private long outTo;

  /** Chunks of the frame in {@code writer} that are still to be filled. */
  private int outChunks;

  private long sent;

  DatagramWire(IsleSpec spec, LinkMeter meter, Arena arena) {
    packetBytes = spec.packetBytes();
    this.meter = meter;
    long memory = Math.max(spec.memoryBytes(), spec.frameBytes());
    reassembly = new Reassembly(ReassemblyRules.isle(spec.frameBytes(), memory), arena);
    gaps = new Gaps(reassembly);
    repairs = new Repairs(spec.frameBytes());
    arrivals = arena.allocate(ARRIVED_BYTES, 64);
    arrivalCheck = new FrameCrc(arrivals);
    batch = arena.allocate(Chunks.MAX_BATCH_BYTES, 64);
  }

  @Override
  public int next(RingPort port, long nowNs) {
    if (again) {
      again = false;
      return FRAME;
    }
    while (true) {
      int made = made(nowNs);
      if (made != NOTHING) {
        return made;
      }
      if (batchAt < batchEnd) {
        if (isFrame((DatagramPort) port, nowNs)) {
          return FRAME;
        }
      } else if (!receive((DatagramPort) port)) {
        gaps.look(nowNs);
        return NOTHING;
      }
    }
  }

  /** The next whole numbered frame. */
  private int made(long nowNs) {
    if (!greeted || reassembly.poll(nowNs) != Reassembly.FRAME) {
      return NOTHING;
    }
    whole = reassembly.frame();
    int bytes = reassembly.frameBytes();
    // its memory stays as it is until the next datagram is accepted, which ends the loan
    reassembly.release();
    fault = bytes < IsleFrame.HEADER_BYTES ? "a frame of " + bytes + " bytes has no header" : "";
    if (fault.isEmpty()) {
      fault = fault(whole, 0, bytes, checks.of(whole));
    }
    if (fault.isEmpty() && IsleFrame.number(whole, 0) != gaps.expected()) {
      fault = "frame " + IsleFrame.number(whole, 0) + " came in place of " + gaps.expected();
    }
    if (!fault.isEmpty()) {
      return FAULT;
    }
    gaps.taken(nowNs);
    isWhole = true;
    at = 0;
    return FRAME;
  }

  private String fault(MemorySegment memory, int offset, int bytes, FrameCrc check) {
    String header = IsleFrame.fault(memory, offset, packetBytes);
    if (!header.isEmpty()) {
      return header;
    }
    int payload = IsleFrame.length(memory, offset);
    if (IsleFrame.HEADER_BYTES + payload != bytes) {
      return "a frame with " + payload + " bytes behind its header has " + bytes + " in all";
    }
    return check.matches(offset, payload) ? "" : "the checksum of a frame is wrong";
  }

  private boolean receive(DatagramPort port) {
    long bytes = port.receive(arrivals, 0, ARRIVED_BYTES);
    if (bytes <= 0) {
      return false;
    }
    batchAt = 0;
    batchEnd = (int) bytes;
    segment = port.segment();
    return true;
  }

  /** Takes the next datagram; true for a frame without a number. */
  private boolean isFrame(DatagramPort port, long nowNs) {
    int from = batchAt;
    int length = Math.min(segment, batchEnd - batchAt);
    batchAt += length;
    boolean ours =
        length > ChunkHeader.BYTES && ChunkHeader.magic(arrivals, from) == ChunkHeader.ISLE;
    if (!ours) {
      meter.add(LinkMeter.WRONG_MAGIC, 1);
      return false;
    }
    if (ChunkHeader.reserved(arrivals, from) == UNNUMBERED) {
      int bytes = length - ChunkHeader.BYTES;
      int offset = from + ChunkHeader.BYTES;
      if (bytes < IsleFrame.HEADER_BYTES
          || !fault(arrivals, offset, bytes, arrivalCheck).isEmpty()
          || IsleFrame.isNumbered(IsleFrame.kind(arrivals, offset))) {
        meter.add(LinkMeter.MALFORMED, 1);
        return false;
      }
      arrived += length;
      port.accept(nowNs);
      isWhole = false;
      at = offset;
      return true;
    }
    if (greeted) {
      Arrival arrival = reassembly.accept(arrivals, from, length, nowNs);
      count(arrival);
      if (arrival.isValid()) {
        arrived += length;
        port.accept(nowNs);
      }
    }
    return false;
  }

  private void count(Arrival arrival) {
    switch (arrival) {
      case ACCEPTED, COMPLETED -> {}
      case DUPLICATE -> meter.add(LinkMeter.DUPLICATES, 1);
      case STALE -> meter.add(LinkMeter.STALE, 1);
      case OVERFLOW -> meter.add(LinkMeter.OVERFLOW, 1);
      case WRONG_MAGIC -> meter.add(LinkMeter.WRONG_MAGIC, 1);
      case WRONG_TOTAL -> meter.add(LinkMeter.WRONG_TOTAL, 1);
      case WRONG_LENGTH -> meter.add(LinkMeter.WRONG_LENGTH, 1);
    }
  }

  @Override
  public void again() {
    again = true;
  }

  @Override
  public MemorySegment memory() {
    return isWhole ? whole : arrivals;
  }

  @Override
  public long at() {
    return at;
  }

  @Override
  public String fault() {
    return fault;
  }

  @Override
  public long arrived() {
    return arrived;
  }

  @Override
  public boolean isLossy() {
    return true;
  }

  @Override
  public boolean isIdle() {
    return outFrom == outTo && outChunks == 0;
  }

  @Override
  public int send(RingPort port, MemorySegment frame, int bytes, long number, long nowNs) {
    sent = Math.max(sent, number);
    writer.begin((int) number & NUMBERS, number == 0 ? UNNUMBERED : 0, frame, 0, bytes);
    outChunks = writer.total();
    return flush(port, nowNs);
  }

  /** A datagram that the port refuses for good is lost, as on its way. */
  @Override
  public int flush(RingPort port, long nowNs) {
    while (true) {
      if (outFrom == outTo) {
        if (outChunks == 0) {
          return DONE;
        }
        int chunks = Math.min(outChunks, Chunks.MAX_BATCH);
        outFrom = 0;
        outTo = writer.fill(batch, 0, chunks);
        outChunks -= chunks;
      }
      long bytes =
          ((DatagramPort) port).send(batch, outFrom, outTo - outFrom, ChunkHeader.DATAGRAM_BYTES);
      if (bytes == 0 || bytes == -EAGAIN) {
        return PARTIAL;
      }
      outFrom = bytes < 0 ? outTo : outFrom + bytes;
    }
  }

  @Override
  public boolean repair(RingPort port, SendWindow window, long nowNs) {
    for (long number = repairs.next(); number != 0; number = repairs.next()) {
      long chunks = number < window.first() ? 0 : repairs.take(number, Chunks.MAX_BATCH);
      if (number < window.first()) {
        repairs.acknowledged(window.first());
      } else if (chunks != 0) {
        writer.begin((int) number & NUMBERS, 0, window.frame(number), 0, window.bytes(number));
        writer.seek((int) (chunks >>> 32));
        outChunks = (int) chunks;
        meter.add(LinkMeter.REPAIRED, 1);
        int ignored = flush(port, nowNs);
        return true;
      }
    }
    return false;
  }

  @Override
  public String missing(MemorySegment frame, long offset, int length, SendWindow window) {
    return repairs.ask(frame, offset, length, window, sent);
  }

  @Override
  public int request(OwnFrame own, long nowNs) {
    return greeted ? gaps.request(own, nowNs) : 0;
  }

  @Override
  public void acknowledged(long first) {
    repairs.acknowledged(first);
  }

  @Override
  public void announced(long last, long delivered, long nowNs) {
    gaps.announced(last, nowNs);
  }

  @Override
  public long deadlineNs() {
    return greeted ? gaps.deadlineNs() : Long.MAX_VALUE;
  }

  @Override
  public void greeted(long delivered, long nowNs) {
    reassembly.expect((int) (delivered + 1) & NUMBERS, nowNs);
    for (int left = reassembly.poll(nowNs);
        left != Reassembly.NOTHING;
        left = reassembly.poll(nowNs)) {
      if (left == Reassembly.FRAME) {
        reassembly.release();
      } else {
        reassembly.skip();
      }
    }
    gaps.begin(delivered);
    greeted = true;
  }

  @Override
  public void reset() {
    again = false;
    greeted = false;
    batchAt = 0;
    batchEnd = 0;
    outFrom = 0;
    outTo = 0;
    outChunks = 0;
    sent = 0;
    writer.end();
    repairs.clear();
  }
}
