package io.isle.fabric.ring.isle;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.PeerDialect;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Frames that follow each other on a stream. Many small frames are read at once; of a large one,
 * only the rest is read, so that no bytes behind it have to be moved.
 */
final class StreamWire implements Wire {
  /** Bytes of a read that is worth its call. */
  private static final int BULK = 1 << 16;

  /** Looks of a third of a microsecond each. */
  private static final int LOOKS = 8;

  /** More bytes than those of a heartbeat. */
  private static final int MORE = IsleFrame.HEADER_BYTES + Heartbeat.BYTES + 1;

  private final int packetBytes;
  private final MemorySegment buffer;
  private final FrameCrc check;
  private final int capacity;
  private int start;
  private int end;
  private int at;
  private boolean begun;

  /** Whether heartbeats wait for a look: one read takes all of them. */
  private boolean resting;

  /** Time of the look of the last read. */
  private long readNs = Long.MIN_VALUE;

  private long arrived;
  private String fault = "";

  private MemorySegment out = MemorySegment.NULL;
  private long outFrom;
  private long outTo;

  StreamWire(IsleSpec spec, Arena arena) {
    packetBytes = spec.packetBytes();
    capacity = Math.max(spec.frameBytes(), IsleFrame.HEADER_BYTES + IsleFrame.MIN_CAPACITY) + BULK;
    buffer = arena.allocate(capacity, 64);
    check = Checks.of(buffer);
  }

  @Override
  public int next(RingPort port, long nowNs) {
    StreamPort stream = (StreamPort) port;
    while (true) {
      int need = need();
      if (need <= 0) {
        return need == 0 ? taken() : FAULT;
      }
      if (resting && start == end && readNs == nowNs) {
        return NOTHING;
      }
      readNs = nowNs;
      int room = room(need);
      long read = stream.read(buffer, end, room);
      if (read <= 0) {
        return read == -ENOTCONN ? ENDED : NOTHING;
      }
      end += (int) read;
      arrived += read;
    }
  }

  /** Packets, control messages and notices have more bytes than a heartbeat. */
  @Override
  public boolean rest(RingPort port) {
    if (start != end || packetBytes <= Heartbeat.BYTES) {
      return false;
    }
    ((StreamPort) port).readableFrom(MORE);
    resting = true;
    return true;
  }

  @Override
  public void attend(RingPort port) {
    resting = false;
    ((StreamPort) port).readableFrom(1);
  }

  @Override
  public boolean spin(RingPort port) {
    StreamPort stream = (StreamPort) port;
    int need = need();
    if (need <= 0) {
      return true;
    }
    int room = room(need);
    long read = -EAGAIN;
    for (int i = 0; i < LOOKS && read == -EAGAIN; i++) {
      read = stream.read(buffer, end, room);
    }
    if (read > 0) {
      end += (int) read;
      arrived += read;
    }
    return read != -EAGAIN;
  }

  /** Bytes that the next frame lacks; 0 for a whole frame; -1 for a fault. */
  private int need() {
    int have = end - start;
    if (have < IsleFrame.HEADER_BYTES) {
      return isOfOther(have) ? -1 : IsleFrame.HEADER_BYTES - have;
    }
    if (isOfOther(have)) {
      return -1;
    }
    fault = IsleFrame.fault(buffer, start, packetBytes);
    if (!fault.isEmpty()) {
      return -1;
    }
    int total = IsleFrame.HEADER_BYTES + IsleFrame.length(buffer, start);
    return Math.max(0, total - have);
  }

  /** The first bytes of a path show another protocol. */
  private boolean isOfOther(int have) {
    if (begun) {
      return false;
    }
    boolean other = PeerDialect.ofStream(buffer, start, have) == PeerDialect.LEAP;
    fault = other ? OTHER : "";
    return other;
  }

  private int taken() {
    int payload = IsleFrame.length(buffer, start);
    if (!check.matches(start, payload)) {
      fault =
          "the checksum of a frame of kind "
              + IsleFrame.kind(buffer, start)
              + " and "
              + payload
              + " bytes is wrong";
      return FAULT;
    }
    begun = true;
    at = start;
    start += IsleFrame.HEADER_BYTES + payload;
    return FRAME;
  }

  /** Makes room for the rest of a frame; returns bytes to read. */
  private int room(int need) {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (capacity - end < need) {
      MemorySegment.copy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    return need >= BULK ? need : capacity - end;
  }

  @Override
  public void again() {
    start = at;
  }

  @Override
  public MemorySegment memory() {
    return buffer;
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
  public boolean isIdle() {
    return outFrom == outTo;
  }

  @Override
  public int send(RingPort port, MemorySegment frame, int bytes, long number, long nowNs) {
    out = frame;
    outFrom = 0;
    outTo = bytes;
    return flush(port, nowNs);
  }

  @Override
  public int flush(RingPort port, long nowNs) {
    StreamPort stream = (StreamPort) port;
    while (outFrom < outTo) {
      long written = stream.write(out, outFrom, outTo - outFrom, false);
      if (written <= 0) {
        return written == -ENOTCONN ? ENDED : PARTIAL;
      }
      outFrom += written;
    }
    return DONE;
  }

  @Override
  public void reset() {
    start = 0;
    end = 0;
    begun = false;
    resting = false;
    outFrom = 0;
    outTo = 0;
    out = MemorySegment.NULL;
  }
}
