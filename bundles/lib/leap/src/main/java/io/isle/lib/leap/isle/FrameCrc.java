package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Checksums of the frames in one buffer: CRC32C of all bytes from the version on, header and
 * payload. One thread. Allocates nothing after construction.
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
    this.memory = memory;
    this.bytes = memory.asByteBuffer();
  }

  /** CRC32C of a range of the buffer. */
  public int of(int offset, int length) {
    crc.reset();
    add(offset, length);
    return (int) crc.getValue();
  }

  /**
   * Begins the checksum of the frame at {@code offset}, whose header is complete. The payload
   * follows by {@link #add}, in pieces that are still in the cache.
   */
  public void begin(int offset) {
    crc.reset();
    add(offset + CHECKED, IsleFrame.HEADER_BYTES - CHECKED);
  }

  /** Adds the next bytes of the frame that {@link #begin} has begun. */
  public void add(int offset, int length) {
    bytes.limit(offset + length).position(offset);
    crc.update(bytes);
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
    crc.reset();
    add(offset + CHECKED, IsleFrame.HEADER_BYTES - CHECKED + payload);
  }
}
