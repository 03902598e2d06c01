package io.isle.fabric.ring.isle;

import static io.isle.api.base.Errno.EAGAIN;

import io.isle.api.fabric.DatagramPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.ChunkWriter;
import io.isle.lib.leap.Chunks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Frames as chunks in datagrams, and chunks again that the neighbour lacks. One thread at a time.
 */
final class DatagramOutput {
  /** Field of a chunk: the frame has no number. */
  static final int UNNUMBERED = 1;

  /** Bits of a frame's number in the sequence of its chunks. */
  static final int NUMBERS = 0xFFFF;

  private final LinkMeter meter;
  private final Repairs repairs;
  private final ChunkWriter writer = new ChunkWriter(ChunkHeader.ISLE);
  private final MemorySegment batch;
  private long outFrom;
  private long outTo;

  /** Chunks of the frame in {@code writer} that are still to be filled. */
  private int outChunks;

  /** Number of the last frame on this path. */
  private long sent;

  DatagramOutput(IsleSpec spec, LinkMeter meter, Arena arena) {
    this.meter = meter;
    repairs = new Repairs(spec.frameBytes());
    batch = arena.allocate(Chunks.MAX_BATCH_BYTES, 64);
  }

  /** Whether the last frame is sent as a whole. */
  boolean isIdle() {
    return outFrom == outTo && outChunks == 0;
  }

  /** As {@link Wire#send}. */
  int send(DatagramPort port, MemorySegment frame, int bytes, long number) {
    sent = Math.max(sent, number);
    writer.begin((int) number & NUMBERS, number == 0 ? UNNUMBERED : 0, frame, 0, bytes);
    outChunks = writer.total();
    return flush(port);
  }

  /** Sends the rest. A datagram that the port refuses for good is lost, as on its way. */
  int flush(DatagramPort port) {
    while (true) {
      if (outFrom == outTo) {
        if (outChunks == 0) {
          return Wire.DONE;
        }
        int chunks = Math.min(outChunks, Chunks.MAX_BATCH);
        outFrom = 0;
        outTo = writer.fill(batch, 0, chunks);
        outChunks -= chunks;
      }
      long bytes = port.send(batch, outFrom, outTo - outFrom, ChunkHeader.DATAGRAM_BYTES);
      if (bytes == 0 || bytes == -EAGAIN) {
        return Wire.PARTIAL;
      }
      outFrom = bytes < 0 ? outTo : outFrom + bytes;
    }
  }

  /** As {@link Wire#repair}. */
  boolean repair(DatagramPort port, SendWindow window) {
    for (long number = repairs.next(); number != 0; number = repairs.next()) {
      long chunks = number < window.first() ? 0 : repairs.take(number, Chunks.MAX_BATCH);
      if (number < window.first()) {
        repairs.acknowledged(window.first());
      } else if (chunks != 0) {
        writer.begin((int) number & NUMBERS, 0, window.frame(number), 0, window.bytes(number));
        writer.seek((int) (chunks >>> 32));
        outChunks = (int) chunks;
        meter.add(LinkMeter.REPAIRED, 1);
        int ignored = flush(port);
        return true;
      }
    }
    return false;
  }

  /** As {@link Wire#missing}. */
  String missing(MemorySegment frame, long offset, int length, SendWindow window) {
    return repairs.ask(frame, offset, length, window, sent);
  }

  /** The frames below {@code first} are acknowledged. */
  void acknowledged(long first) {
    repairs.acknowledged(first);
  }

  /** A path begins or ends. */
  void reset() {
    outFrom = 0;
    outTo = 0;
    outChunks = 0;
    sent = 0;
    writer.end();
    repairs.clear();
  }
}
