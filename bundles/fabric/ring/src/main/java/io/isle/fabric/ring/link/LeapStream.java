package io.isle.fabric.ring.link;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.EINTR;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.PeerDialect;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Packets of dialect leap on a stream: packets of one size follow each other without a frame. */
final class LeapStream implements Framing {
  private final LinkMeter meter;
  private final int packet;

  /** The begin of the next packet, between receiving calls. */
  private final MemorySegment staged;

  /** Bytes of the next packet that are received. */
  private long have;

  private long readPath;

  /** Whether the path has not shown its protocol yet. */
  private boolean fresh;

  /** Whether the path is of another protocol; its bytes are no packets. */
  private boolean other;

  private volatile String reason = "";

  /** The end of the last packet, behind a sending call that could not send it as a whole. */
  private final MemorySegment rest;

  private long restFrom;
  private long restTo;
  private long sent;
  private long writePath;

  LeapStream(int packetBytes, LinkMeter meter, Arena arena) {
    this.packet = packetBytes;
    this.meter = meter;
    this.staged = arena.allocate(packetBytes, 64);
    this.rest = arena.allocate(packetBytes, 64);
  }

  @Override
  public void beginReceive(MemorySegment into, long offset) {
    if (have > 0) {
      MemorySegment.copy(staged, 0, into, offset, have);
    }
  }

  @Override
  public long receive(RingPort port, MemorySegment into, long offset, long nowNs) {
    long result = fill((StreamPort) port, into, offset);
    if (result > 0) {
      have = 0;
      meter.received(result);
    }
    return result;
  }

  private long fill(StreamPort stream, MemorySegment into, long offset) {
    if (stream.paths() != readPath) {
      readPath = stream.paths();
      dropBegin();
      fresh = packet >= IsleFrame.HEADER_BYTES;
      other = false;
    }
    if (other) {
      return discard(stream);
    }
    while (have < packet) {
      long read = stream.read(into, offset + have, packet - have);
      if (read <= 0) {
        if (read == -ENOTCONN) {
          dropBegin();
        }
        return read == 0 ? -EAGAIN : read;
      }
      have += read;
      if (fresh && have >= IsleFrame.HEADER_BYTES) {
        fresh = false;
        if (isGreeting(into, offset)) {
          other = true;
          have = 0;
          reason = SPEAKS_ISLE;
          meter.add(LinkMeter.MALFORMED, 1);
          return discard(stream);
        }
        reason = "";
      }
    }
    return packet;
  }

  private static boolean isGreeting(MemorySegment bytes, long offset) {
    return PeerDialect.ofStream(bytes, offset, IsleFrame.HEADER_BYTES) == PeerDialect.ISLE
        && IsleFrame.fault(bytes, offset, IsleFrame.MIN_CAPACITY).isEmpty();
  }

  /** The peer gives up by itself, and then says what to set, too. */
  private long discard(StreamPort stream) {
    long read;
    do {
      read = stream.read(staged, 0, packet);
    } while (read > 0);
    return read == 0 ? -EAGAIN : read;
  }

  @Override
  public String reason() {
    return reason;
  }

  private void dropBegin() {
    if (have > 0 && have < packet) {
      have = 0;
      meter.add(LinkMeter.CUT, 1);
    }
  }

  @Override
  public void endReceive(MemorySegment into, long offset) {
    if (have > 0) {
      MemorySegment.copy(into, offset, staged, 0, have);
    }
  }

  @Override
  public MemorySegment peek(RingPort port, long nowNs) {
    return have == packet || fill((StreamPort) port, staged, 0) > 0 ? staged : null;
  }

  @Override
  public void take() {
    have = 0;
    meter.received(packet);
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
    StreamPort stream = (StreamPort) port;
    if (!flush(port, nowNs)) {
      return -EAGAIN;
    }
    if (sent > 0 && stream.paths() != writePath) {
      return broken();
    }
    writePath = stream.paths();
    long total = headLength + length;
    while (sent < total) {
      long written =
          sent < headLength
              ? stream.write(head, sent, headLength - sent, true)
              : stream.write(data, offset + sent - headLength, total - sent, false);
      if (written <= 0) {
        return written == -ENOTCONN && sent > 0 ? broken() : written == 0 ? -EAGAIN : written;
      }
      sent += written;
    }
    sent = 0;
    meter.sent(total);
    return total;
  }

  private long broken() {
    sent = 0;
    meter.add(LinkMeter.CUT, 1);
    return -EINTR;
  }

  @Override
  public long endSend(
      MemorySegment head, long headLength, MemorySegment data, long offset, long length) {
    if (sent == 0) {
      return 0;
    }
    long total = headLength + length;
    restFrom = 0;
    restTo = total - sent;
    long ofHead = Math.max(0, headLength - sent);
    MemorySegment.copy(head, headLength - ofHead, rest, 0, ofHead);
    MemorySegment.copy(
        data, offset + Math.max(0, sent - headLength), rest, ofHead, restTo - ofHead);
    sent = 0;
    return total;
  }

  @Override
  public boolean flush(RingPort port, long nowNs) {
    StreamPort stream = (StreamPort) port;
    while (restFrom < restTo) {
      long written =
          stream.paths() == writePath
              ? stream.write(rest, restFrom, restTo - restFrom, false)
              : -ENOTCONN;
      if (written == -ENOTCONN) {
        restFrom = restTo;
        meter.add(LinkMeter.CUT, 1);
        return true;
      }
      if (written <= 0) {
        return false;
      }
      restFrom += written;
      if (restFrom == restTo) {
        meter.sent(packet);
      }
    }
    return true;
  }

  @Override
  public void reset() {
    dropBegin();
    if (sent > 0 || restFrom < restTo) {
      meter.add(LinkMeter.CUT, 1);
    }
    sent = 0;
    restFrom = restTo;
  }

  @Override
  public boolean isMidway() {
    return have > 0 || sent > 0;
  }

  @Override
  public Optional<RingLoss> loss() {
    return Optional.empty();
  }

  @Override
  public long deadlineNs() {
    return Long.MAX_VALUE;
  }
}
