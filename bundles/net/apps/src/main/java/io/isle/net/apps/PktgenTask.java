package io.isle.net.apps;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetAppTask;
import io.isle.lib.packet.NetSig;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Sends frames with numbers from 0 on, as fast as a rate says. A frame that could not leave in time
 * is made up for during a second at most.
 */
final class PktgenTask implements NetAppTask {
  /** Most frames a second. */
  static final long MOST_RATE = 1_000_000_000;

  /** Bytes of a frame. */
  static final int FRAME_BYTES = 60;

  /** Whole words. */
  private static final int ROOM_BYTES = 64;

  private static final int BURST = 64;

  /** Bytes 8 to 15: the type of IPv4, its version and length. */
  private static final long TYPE_AND_VERSION = 0x0045_0008_0000_0000L;

  private static final long SECOND_NS = 1_000_000_000;

  private static final int SENT = 0;
  private static final int WAITS = 1;
  private static final int MISSED = 2;
  private static final int ELAPSED = 3;

  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final FramePort port;
  private final MemorySegment memory;
  private final long rate;
  private final long count;
  private final int address;
  private final Tally tally = new Tally("sent", "backpressured", "missed", "elapsed_ns");
  private long next;
  private boolean begun;
  private boolean closed;

  /** Time of the first frame. */
  private long firstNs;

  /** Begin of the current second of the rate, and frames that were due in it and have left. */
  private long anchorNs;

  private long sinceAnchor;

  /**
   * @param rate frames a second, 0 to {@link #MOST_RATE}; 0 without a limit
   * @param count frames; 0 without an end
   * @param address destination for the route
   */
  PktgenTask(FramePort port, long rate, long count, int address) {
    this.port = port;
    this.memory = port.memory();
    this.rate = rate;
    this.count = count;
    this.address = address;
  }

  @Override
  public int cycle(long nowNs) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    long due = due(nowNs);
    int sent = 0;
    while (sent < due) {
      int code = send();
      if (code < 0) {
        closed = code != -Errno.EAGAIN;
        break;
      }
      sent++;
    }
    sinceAnchor += sent;
    if (sent > 0) {
      if (tally.get(SENT) == 0) {
        firstNs = nowNs;
      }
      tally.add(SENT, sent);
      tally.add(ELAPSED, nowNs - firstNs - tally.get(ELAPSED));
      closed |= port.flush() == -Errno.ECLOSED;
    }
    closed |= count != 0 && next >= count;
    return closed && sent == 0 ? -Errno.ECLOSED : sent;
  }

  /** Frames that are to be sent now. */
  private int due(long nowNs) {
    long limit = count == 0 ? BURST : Math.min(BURST, count - next);
    if (rate == 0) {
      return (int) limit;
    }
    if (!begun) {
      begun = true;
      anchorNs = nowNs;
    }
    long elapsed = nowNs - anchorNs;
    if (elapsed >= SECOND_NS) {
      elapsed = turn(elapsed);
    }
    return (int) Math.clamp(elapsed * rate / SECOND_NS - sinceAnchor, 0, limit);
  }

  /** Begins another second; what is missing from those before the last one is given up. */
  private long turn(long elapsed) {
    long seconds = elapsed / SECOND_NS;
    anchorNs += seconds * SECOND_NS;
    long behind = Math.max(0, seconds * rate - sinceAnchor);
    long missed = Math.max(0, behind - rate);
    if (missed > 0) {
      tally.add(MISSED, missed);
    }
    sinceAnchor = missed - behind;
    return elapsed % SECOND_NS;
  }

  private int send() {
    long at = port.claim(ROOM_BYTES);
    if (at < 0) {
      if (at == -Errno.EAGAIN) {
        tally.add(WAITS, 1);
      }
      return (int) at;
    }
    write(at, next);
    // the number as the port of the flow spreads the frames over all tiles
    int code =
        port.publish(
            FRAME_BYTES,
            NetSig.of(address, address, (int) next & 0xFFFF, 0, NetSig.MIN_HEADER_BYTES));
    next += code == 0 ? 1 : 0;
    return code;
  }

  /**
   * Writes a frame with the number at byte 34. The tile reads the words soon, and would wait for
   * words of other widths.
   */
  private void write(long at, long number) {
    memory.set(U64, at, 0);
    memory.set(U64, at + 8, TYPE_AND_VERSION);
    memory.set(U64, at + 16, 0);
    memory.set(U64, at + 24, 0);
    memory.set(U64, at + 32, number << 16);
    memory.set(U64, at + 40, number >>> 48);
    memory.set(U64, at + 48, 0);
    memory.set(U64, at + 56, 0);
  }

  @Override
  public long deadlineNs() {
    if (closed || rate == 0 || !begun) {
      return Long.MIN_VALUE;
    }
    // rounded up: at this time the next frame is due
    return anchorNs + ((sinceAnchor + 1) * SECOND_NS + rate - 1) / rate;
  }

  @Override
  public Map<String, Long> counters() {
    return tally.map();
  }

  @Override
  public void close() {
    closed = true;
  }
}
