package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Checksums of the frames in one buffer: CRC32C of all bytes from the version on, header and
 * payload. One thread, which also ends the lifetime of the buffer, if any. Allocates nothing after
 * construction.
 */
public final class FrameCrc {
  private final MemorySegment memory;
  private final ByteBuffer bytes;
  private final CRC32C crc = new CRC32C();

  /**
   * @param memory the buffer, at most 2^31 - 1 bytes
   */
  public FrameCrc(MemorySegment memory) {
    this(memory, memory);
  }

  /**
   * @param memory the buffer, at most 2^31 - 1 bytes
   * @param view the same bytes without an end of their lifetime: a checksum does not hold the
   *     lifetime of the buffer, which takes longer than the checksum of a small frame
   */
  public FrameCrc(MemorySegment memory, MemorySegment view) {
    this.memory = memory;
    this.bytes = view.asByteBuffer();
  }

  /**
   * CRC32C of a range of the buffer.
   *
   * @throws IllegalStateException after the end of the buffer's lifetime
   */
  public int of(int offset, int length) {
    crc.reset();
    update(offset, length);
    return (int) crc.getValue();
  }

  private void update(int offset, int length) {
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the memory of frames is closed");
    }
    bytes.limit(offset + length).position(offset);
    crc.update(bytes);
  }

  /** Begins the checksum of the frame at offset 0, whose parts come one after the other. */
  public void begin() {
    crc.reset();
  }

  /**
   * The next part of the frame is there.
   *
   * @param from offset of the part; the first one has the header
   * @throws IllegalStateException after the end of the buffer's lifetime
   */
  public void part(int from, int length) {
    int first = Math.max(from, (int) IsleFrame.VERSION_AT);
    update(first, from + length - first);
  }

  /** Writes the checksum of all parts into the header. */
  public void seal() {
    memory.set(IsleFrame.U32, IsleFrame.CRC_AT, (int) crc.getValue());
  }

  /** Whether the frame has the checksum of all parts. */
  public boolean matches() {
    return memory.get(IsleFrame.U32, IsleFrame.CRC_AT) == (int) crc.getValue();
  }

  /** Writes the checksum into the header of the frame at {@code offset}. */
  public void seal(int offset, int payload) {
    memory.set(IsleFrame.U32, offset + IsleFrame.CRC_AT, frame(offset, payload));
  }

  /** Whether the frame at {@code offset} has its checksum. */
  public boolean matches(int offset, int payload) {
    return memory.get(IsleFrame.U32, offset + IsleFrame.CRC_AT) == frame(offset, payload);
  }

  private int frame(int offset, int payload) {
    int from = (int) IsleFrame.VERSION_AT;
    return of(offset + from, IsleFrame.HEADER_BYTES - from + payload);
  }
}
