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
  /** Offset of the first byte that counts, in a frame. */
  private static final int CHECKED = (int) IsleFrame.VERSION_AT;

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
    add(offset, length);
    return (int) crc.getValue();
  }

  /**
   * Begins the checksum of the frame at {@code offset}, whose header is complete. The rest follows
   * by {@link #add}, in pieces that are still in the cache.
   *
   * @param bytes first bytes of the frame, at least its header
   */
  public void begin(int offset, int bytes) {
    crc.reset();
    add(offset + CHECKED, bytes - CHECKED);
  }

  /**
   * Adds the next bytes of the frame that {@link #begin} has begun.
   *
   * @throws IllegalStateException after the end of the buffer's lifetime
   */
  public void add(int offset, int length) {
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the memory of frames is closed");
    }
    bytes.limit(offset + length).position(offset);
    crc.update(bytes);
  }

  /**
   * Adds the next bytes of the frame, which lie in another buffer.
   *
   * @param other its position and limit are changed
   * @throws IllegalStateException after the end of the lifetime of {@code other}
   */
  public void add(ByteBuffer other, int offset, int length) {
    other.limit(offset + length).position(offset);
    crc.update(other);
  }

  /** Writes the checksum of the added bytes into the header of their frame. */
  public void seal(int offset) {
    memory.set(IsleFrame.U32, offset + IsleFrame.CRC_AT, (int) crc.getValue());
  }

  /** Whether the frame has the checksum of the added bytes. */
  public boolean matches(int offset) {
    return memory.get(IsleFrame.U32, offset + IsleFrame.CRC_AT) == (int) crc.getValue();
  }

  /** Writes the checksum into the header of the frame at {@code offset}. */
  public void seal(int offset, int payload) {
    frame(offset, payload);
    seal(offset);
  }

  /** Whether the frame at {@code offset} has its checksum. */
  public boolean matches(int offset, int payload) {
    frame(offset, payload);
    return matches(offset);
  }

  private void frame(int offset, int payload) {
    begin(offset, IsleFrame.HEADER_BYTES + payload);
  }
}
