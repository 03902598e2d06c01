package io.isle.lib.leap.isle;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Checksums of the frames in one buffer: CRC32C of all bytes from the version on, header and
 * payload. One thread. Allocates nothing after construction.
 */
public final class FrameCrc {
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
    bytes.limit(offset + length).position(offset);
    crc.reset();
    crc.update(bytes);
    return (int) crc.getValue();
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
