package io.isle.fabric.ring.isle;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.RingPort;
import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Frames that lie one in a bank each. The neighbour may change a bank at any time, so a frame is
 * copied once, and checked in the copy. A large packet is copied straight to its receiver.
 */
final class BankWire implements Wire {
  /** Looks of a few nanoseconds each. */
  private static final int LOOKS = 200;

  /** Bytes that are copied and then checked. */
  private static final int PART_BYTES = 4096;

  private final int packetBytes;
  private final MemorySegment buffer;
  private final FrameCrc check;
  private boolean again;
  private long arrived;
  private String fault = "";

  private MemorySegment out = MemorySegment.NULL;
  private int outBytes;
  private final BankClaim claim;

  BankWire(IsleSpec spec, Arena arena) {
    packetBytes = spec.packetBytes();
    buffer =
        arena.allocate(
            Math.max(spec.frameBytes(), IsleFrame.HEADER_BYTES + IsleFrame.MIN_CAPACITY), 64);
    check = Checks.of(buffer);
    claim = new BankClaim(packetBytes);
  }

  @Override
  public int next(RingPort port, long nowNs) {
    return next(port, null, nowNs);
  }

  @Override
  public int next(RingPort port, Inbound in, long nowNs) {
    if (again) {
      again = false;
      return FRAME;
    }
    BankPort banks = (BankPort) port;
    int length = banks.next();
    // an empty frame: the writer of the bank was not ready in its turn
    for (int i = 0; length == 0 && i < banks.banks(); i++) {
      length = banks.take() == 0 ? banks.next() : -ENOTCONN;
    }
    if (length <= 0) {
      return length == -ENOTCONN ? ENDED : NOTHING;
    }
    if (length < IsleFrame.HEADER_BYTES || length > buffer.byteSize()) {
      fault =
          "a frame of "
              + length
              + " bytes is not in "
              + IsleFrame.HEADER_BYTES
              + ".."
              + buffer.byteSize();
      return FAULT;
    }
    Aim aim = in == null || length <= PART_BYTES ? null : place(banks, length, in);
    if (aim == null) {
      copy(banks, length);
    }
    if (banks.take() != 0) {
      return ENDED;
    }
    arrived += length;
    if (aim != null) {
      aim.placed();
      return FRAME;
    }
    fault = fault(length);
    return fault.isEmpty() ? FRAME : FAULT;
  }

  /**
   * Copies a packet straight to its receiver, and checks the packet there. The memory is a
   * tenant's, who may write to it meanwhile: only the buffer shows whether the neighbour is wrong.
   *
   * @return null if the frame has to go to the buffer
   */
  private Aim place(BankPort banks, int length, Inbound in) {
    banks.copy(0, buffer, 0, IsleFrame.HEADER_BYTES);
    boolean data =
        IsleFrame.fault(buffer, 0, packetBytes).isEmpty()
            && IsleFrame.kind(buffer, 0) == IsleFrame.DATA
            && IsleFrame.length(buffer, 0) == packetBytes
            && length == IsleFrame.HEADER_BYTES + packetBytes;
    Aim aim = data ? in.aim(IsleFrame.number(buffer, 0)) : null;
    ByteBuffer bytes = aim == null ? null : aim.bytes();
    return bytes != null && isPlaced(banks, aim, bytes) ? aim : null;
  }

  private boolean isPlaced(BankPort banks, Aim aim, ByteBuffer bytes) {
    MemorySegment memory = aim.memory();
    int to = (int) aim.offset();
    check.begin(0, IsleFrame.HEADER_BYTES);
    try {
      for (int at = 0; at < packetBytes; at += PART_BYTES) {
        int part = Math.min(PART_BYTES, packetBytes - at);
        banks.copy(IsleFrame.HEADER_BYTES + at, memory, to + at, part);
        check.add(bytes, to + at, part);
      }
    } catch (IllegalStateException e) {
      // the memory was closed meanwhile
      aim.close();
      return false;
    }
    return check.matches(0);
  }

  /** Copies a frame; each part is still in the cache for its checksum. */
  private void copy(BankPort banks, int length) {
    int part = Math.min(PART_BYTES, length);
    banks.copy(0, buffer, 0, part);
    check.begin(0, part);
    for (int at = part; at < length; at += part) {
      part = Math.min(PART_BYTES, length - at);
      banks.copy(at, buffer, at, part);
      check.add(at, part);
    }
  }

  @Override
  public boolean spin(RingPort port) {
    BankPort banks = (BankPort) port;
    int length = -EAGAIN;
    for (int i = 0; i < LOOKS && length == -EAGAIN; i++) {
      length = banks.next();
    }
    return length != -EAGAIN;
  }

  private String fault(int length) {
    String header = IsleFrame.fault(buffer, 0, packetBytes);
    if (!header.isEmpty()) {
      return header;
    }
    int payload = IsleFrame.length(buffer, 0);
    if (IsleFrame.HEADER_BYTES + payload != length) {
      return "a frame with " + payload + " bytes behind its header has " + length + " in its bank";
    }
    return check.matches(0)
        ? ""
        : "the checksum of a frame of kind "
            + IsleFrame.kind(buffer, 0)
            + " and "
            + payload
            + " bytes is wrong";
  }

  @Override
  public void again() {
    again = true;
  }

  @Override
  public MemorySegment memory() {
    return buffer;
  }

  @Override
  public long at() {
    return 0;
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
  public boolean isIdle() {
    return outBytes == 0;
  }

  @Override
  public int send(RingPort port, MemorySegment frame, int bytes, long number, long nowNs) {
    out = frame;
    outBytes = bytes;
    return flush(port, nowNs);
  }

  @Override
  public int flush(RingPort port, long nowNs) {
    if (outBytes == 0) {
      return DONE;
    }
    BankPort banks = (BankPort) port;
    claim.giveWay(banks);
    int code = banks.claim();
    if (code != 0) {
      return code == -ENOTCONN ? ENDED : PARTIAL;
    }
    MemorySegment.copy(out, 0, banks.bank(), 0, outBytes);
    if (banks.publish(outBytes) < 0) {
      return ENDED;
    }
    outBytes = 0;
    return DONE;
  }

  @Override
  public MemorySegment claim(RingPort port) {
    return outBytes == 0 ? claim.begin((BankPort) port) : null;
  }

  @Override
  public boolean publish(RingPort port, MemorySegment frame, int bytes) {
    return outBytes == 0 && claim.publish((BankPort) port, frame, bytes);
  }

  @Override
  public void abandon() {
    claim.end();
  }

  @Override
  public void revoke(RingPort port) {
    claim.revoke((BankPort) port);
  }

  @Override
  public void reset() {
    claim.giveWay(null);
    again = false;
    outBytes = 0;
    out = MemorySegment.NULL;
  }
}
