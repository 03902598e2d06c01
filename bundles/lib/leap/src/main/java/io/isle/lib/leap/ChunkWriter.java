package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Cuts frames into datagrams: batches of datagrams of 1412 bytes, of which the last one of a frame
 * may be shorter, as UDP_SEGMENT requires. A frame has two parts, such as a header and a caller's
 * data. One thread. Allocates nothing.
 */
public final class ChunkWriter {
  private final int magic;
  private MemorySegment head = MemorySegment.NULL;
  private MemorySegment body = MemorySegment.NULL;
  private long headOffset;
  private long bodyOffset;
  private int headBytes;
  private int frameBytes;
  private int sequence;
  private int reserved;
  private int total;
  private int next;

  /**
   * @param magic {@link ChunkHeader#LEAP} or {@link ChunkHeader#ISLE}
   */
  public ChunkWriter(int magic) {
    this.magic = magic;
  }

  /**
   * Begins a frame of one part.
   *
   * @param bytes 1 to {@link Packets#MAX_BYTES}
   * @param reserved see {@link ChunkHeader#reserved}
   */
  public void begin(int sequence, int reserved, MemorySegment frame, long offset, int bytes) {
    begin(sequence, reserved, frame, offset, 0, frame, offset, bytes);
  }

  /** Begins a frame of two parts, which together have 1 to {@link Packets#MAX_BYTES} bytes. */
  public void begin(
      int sequence,
      int reserved,
      MemorySegment head,
      long headOffset,
      int headBytes,
      MemorySegment body,
      long bodyOffset,
      int bodyBytes) {
    long bytes = (long) headBytes + bodyBytes;
    if (headBytes < 0 || bodyBytes < 0 || bytes < 1 || bytes > Packets.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a frame has 1 to " + Packets.MAX_BYTES + " bytes, not " + bytes);
    }
    Objects.checkFromIndexSize(headOffset, headBytes, head.byteSize());
    Objects.checkFromIndexSize(bodyOffset, bodyBytes, body.byteSize());
    this.sequence = sequence;
    this.reserved = reserved;
    this.head = head;
    this.headOffset = headOffset;
    this.headBytes = headBytes;
    this.body = body;
    this.bodyOffset = bodyOffset;
    frameBytes = (int) bytes;
    total = Chunks.count(frameBytes);
    next = 0;
  }

  /** Chunks of the frame; 0 before the first one. */
  public int total() {
    return total;
  }

  /** Index of the next chunk that {@link #fill} writes; {@link #total} behind the last. */
  public int next() {
    return next;
  }

  /** Goes on with a chunk, 0 to {@link #total}: to send it again. */
  public void seek(int chunk) {
    Objects.checkIndex(chunk, total + 1);
    next = chunk;
  }

  /**
   * Writes the next datagrams one behind the other.
   *
   * @param most most datagrams; the batch has room for {@code most} of 1412 bytes
   * @return written bytes; 0 at the end of the frame
   */
  public int fill(MemorySegment batch, long offset, int most) {
    long at = offset;
    int end = (int) Math.min(total, (long) next + most);
    for (; next < end; next++) {
      ChunkHeader.write(batch, at, magic, sequence, next, total, reserved);
      at += ChunkHeader.BYTES;
      int from = Chunks.offset(next);
      int length = Chunks.length(frameBytes, next);
      int ofHead = Math.clamp(headBytes - from, 0, length);
      if (ofHead > 0) {
        MemorySegment.copy(head, headOffset + from, batch, at, ofHead);
      }
      if (ofHead < length) {
        long inBody = bodyOffset + Math.max(0, from - headBytes);
        MemorySegment.copy(body, inBody, batch, at + ofHead, length - ofHead);
      }
      at += length;
    }
    return (int) (at - offset);
  }

  /** Forgets the frame's memory. */
  public void end() {
    head = MemorySegment.NULL;
    body = MemorySegment.NULL;
    headBytes = 0;
    frameBytes = 0;
    total = 0;
    next = 0;
  }
}
