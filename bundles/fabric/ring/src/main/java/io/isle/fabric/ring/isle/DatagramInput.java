package io.isle.fabric.ring.isle;

import io.isle.api.fabric.DatagramPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.Arrival;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.Reassembly;
import io.isle.lib.leap.ReassemblyRules;
import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Frames from chunks in datagrams. Numbered frames are made whole by requests for missing chunks;
 * other frames fit in one datagram each, and may get lost. A datagram that no node of the ring
 * sends is counted and ignored. One thread at a time.
 */
final class DatagramInput {
  /** Looks of a third of a microsecond each. */
  private static final int LOOKS = 8;

  private static final String WRONG_CHECKSUM = "the checksum of a frame is wrong";

  private final int packetBytes;
  private final LinkMeter meter;
  private final Reassembly reassembly;
  private final Gaps gaps;
  private final ArrivedDatagrams datagrams;
  private final FrameCrc datagramCheck;
  private final FrameChecks checks;
  private MemorySegment whole = MemorySegment.NULL;
  private long at;
  private boolean isWhole;
  private boolean again;
  private boolean greeted;
  private long arrived;
  private String fault = "";

  DatagramInput(IsleSpec spec, LinkMeter meter, Arena arena) {
    packetBytes = spec.packetBytes();
    this.meter = meter;
    long memory = Math.max(spec.memoryBytes(), spec.frameBytes());
    reassembly = new Reassembly(ReassemblyRules.isle(spec.frameBytes(), memory), arena);
    gaps = new Gaps(reassembly.progress());
    checks = new FrameChecks(reassembly.progress());
    datagrams = new ArrivedDatagrams(arena);
    datagramCheck = Checks.of(datagrams.memory);
  }

  /** As {@link Wire#next}. */
  int next(DatagramPort port, long nowNs) {
    return next(port, null, nowNs);
  }

  /** Looks for datagrams several times. */
  boolean spin(DatagramPort port) {
    for (int i = 0; i < LOOKS; i++) {
      if (datagrams.receive(port)) {
        return true;
      }
    }
    return false;
  }

  /**
   * As {@link Wire#next}.
   *
   * @param in null if no packet may be placed
   */
  int next(DatagramPort port, Inbound in, long nowNs) {
    if (again) {
      again = false;
      return Wire.FRAME;
    }
    while (true) {
      int made = made(nowNs);
      if (made != Wire.NOTHING) {
        return made;
      }
      if (in != null && datagrams.isUntaken() && isPlaced(port, in, nowNs)) {
        return Wire.FRAME;
      }
      if (datagrams.take()) {
        if (isFrame(port, nowNs)) {
          return Wire.FRAME;
        }
      } else {
        checks.advance();
        if (!datagrams.receive(port)) {
          gaps.look(nowNs);
          return Wire.NOTHING;
        }
      }
    }
  }

  /** The next whole numbered frame. */
  private int made(long nowNs) {
    if (!greeted || reassembly.poll(nowNs) != Reassembly.FRAME) {
      return Wire.NOTHING;
    }
    whole = reassembly.frame();
    int bytes = reassembly.frameBytes();
    fault = bytes < IsleFrame.HEADER_BYTES ? "a frame of " + bytes + " bytes has no header" : "";
    if (fault.isEmpty()) {
      fault = fault(whole, 0, bytes);
    }
    if (fault.isEmpty() && !checks.matches()) {
      fault = WRONG_CHECKSUM;
    }
    checks.next();
    // its memory stays as it is until the next datagram is accepted, which ends the loan
    reassembly.release();
    if (fault.isEmpty() && IsleFrame.number(whole, 0) != gaps.expected()) {
      fault = "frame " + IsleFrame.number(whole, 0) + " came in place of " + gaps.expected();
    }
    if (!fault.isEmpty()) {
      return Wire.FAULT;
    }
    gaps.taken(nowNs);
    isWhole = true;
    at = 0;
    return Wire.FRAME;
  }

  /**
   * Copies a packet straight to its receiver if its frame has arrived as a whole, is the next one,
   * and no other is under way. All else, also all that is wrong, is left to the reassembly.
   */
  private boolean isPlaced(DatagramPort port, Inbound in, long nowNs) {
    long number = gaps.expected();
    if (!greeted
        || reassembly.progress().known() > 0
        || !datagrams.isFrame((int) number & DatagramOutput.NUMBERS)) {
      return false;
    }
    MemorySegment memory = datagrams.memory;
    int header = ChunkHeader.BYTES;
    boolean data =
        datagrams.frameBytes() == IsleFrame.HEADER_BYTES + packetBytes
            && fault(memory, header, datagrams.frameBytes()).isEmpty()
            && IsleFrame.kind(memory, header) == IsleFrame.DATA
            && IsleFrame.number(memory, header) == number;
    Aim aim = data ? in.aim(number) : null;
    if (aim == null || !datagrams.matches(datagramCheck)) {
      return false;
    }
    try {
      datagrams.copy(IsleFrame.HEADER_BYTES, aim.memory(), aim.offset());
    } catch (IllegalStateException e) {
      // the memory was closed meanwhile
      aim.close();
      return false;
    }
    aim.placed();
    reassembly.expect((int) (number + 1) & DatagramOutput.NUMBERS, nowNs);
    gaps.taken(nowNs);
    arrived += datagrams.bytes();
    datagrams.accept(port, nowNs);
    datagrams.clear();
    isWhole = false;
    at = header;
    return true;
  }

  private String fault(MemorySegment memory, int offset, int bytes) {
    String header = IsleFrame.fault(memory, offset, packetBytes);
    if (!header.isEmpty()) {
      return header;
    }
    int payload = IsleFrame.length(memory, offset);
    if (IsleFrame.HEADER_BYTES + payload != bytes) {
      return "a frame with " + payload + " bytes behind its header has " + bytes + " in all";
    }
    return "";
  }

  /** Looks at the next datagram; true for a frame without a number. */
  private boolean isFrame(DatagramPort port, long nowNs) {
    MemorySegment memory = datagrams.memory;
    int from = datagrams.from();
    int length = datagrams.length();
    boolean ours =
        length > ChunkHeader.BYTES && ChunkHeader.magic(memory, from) == ChunkHeader.ISLE;
    if (!ours) {
      meter.add(LinkMeter.WRONG_MAGIC, 1);
      return false;
    }
    if (ChunkHeader.reserved(memory, from) == DatagramOutput.UNNUMBERED) {
      return isUnnumbered(port, from + ChunkHeader.BYTES, length, nowNs);
    }
    if (greeted) {
      Arrival arrival = reassembly.accept(memory, from, length, nowNs);
      meter.arrived(arrival);
      if (arrival.isValid()) {
        arrived += length;
        datagrams.accept(port, nowNs);
      }
    }
    return false;
  }

  private boolean isUnnumbered(DatagramPort port, int offset, int length, long nowNs) {
    int bytes = length - ChunkHeader.BYTES;
    if (bytes < IsleFrame.HEADER_BYTES
        || !fault(datagrams.memory, offset, bytes).isEmpty()
        || !datagramCheck.matches(offset, bytes - IsleFrame.HEADER_BYTES)
        || IsleFrame.isNumbered(IsleFrame.kind(datagrams.memory, offset))) {
      meter.add(LinkMeter.MALFORMED, 1);
      return false;
    }
    arrived += length;
    datagrams.accept(port, nowNs);
    isWhole = false;
    at = offset;
    return true;
  }

  /** The last frame comes again at the next call. */
  void again() {
    again = true;
  }

  /** The memory of the last frame. */
  MemorySegment memory() {
    return isWhole ? whole : datagrams.memory;
  }

  /** Offset of the last frame. */
  long at() {
    return at;
  }

  /** The violation in words. */
  String fault() {
    return fault;
  }

  /** Bytes of valid datagrams. */
  long arrived() {
    return arrived;
  }

  /** Composes a request for chunks that is due; 0 for none. */
  int request(OwnFrame own, long nowNs) {
    return greeted ? gaps.request(own, nowNs) : 0;
  }

  /** The peer says that it has sent frames up to {@code last}. */
  void announced(long last, long nowNs) {
    gaps.announced(last, nowNs);
  }

  /** Time of the next request; MAX_VALUE for none. */
  long deadlineNs() {
    return greeted ? gaps.deadlineNs() : Long.MAX_VALUE;
  }

  /** The greetings are exchanged: numbered frames behind {@code delivered} come. */
  void greeted(long delivered, long nowNs) {
    reassembly.expect((int) (delivered + 1) & DatagramOutput.NUMBERS, nowNs);
    for (int left = reassembly.poll(nowNs);
        left != Reassembly.NOTHING;
        left = reassembly.poll(nowNs)) {
      if (left == Reassembly.FRAME) {
        reassembly.release();
      } else {
        reassembly.skip();
      }
    }
    checks.next();
    gaps.begin(delivered);
    greeted = true;
  }

  /** A frame was delivered; one that came by another path is not missing here. */
  void delivered(long number, long nowNs) {
    if (greeted && number >= gaps.expected()) {
      greeted(number, nowNs);
    }
  }

  /** A path begins or ends. */
  void reset() {
    again = false;
    greeted = false;
    datagrams.clear();
  }
}
