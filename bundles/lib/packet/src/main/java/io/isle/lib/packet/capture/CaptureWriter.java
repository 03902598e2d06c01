package io.isle.lib.packet.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** One block at a time in memory, little-endian, then in a stream. */
final class CaptureWriter {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final OutputStream stream;
  private final byte[] bytes;
  private final MemorySegment block;
  private int length;

  CaptureWriter(OutputStream stream, int capacity) {
    this.stream = stream;
    this.bytes = new byte[capacity];
    this.block = MemorySegment.ofArray(bytes);
  }

  CaptureWriter u8(int value) {
    bytes[length++] = (byte) value;
    return this;
  }

  CaptureWriter u16(int value) {
    block.set(U16, length, (short) value);
    length += Short.BYTES;
    return this;
  }

  CaptureWriter u32(int value) {
    block.set(U32, length, value);
    length += Integer.BYTES;
    return this;
  }

  CaptureWriter u64(long value) {
    block.set(U64, length, value);
    length += Long.BYTES;
    return this;
  }

  CaptureWriter copy(MemorySegment from, long offset, int count) {
    MemorySegment.copy(from, offset, block, length, count);
    length += count;
    return this;
  }

  CaptureWriter copy(byte[] from, int count) {
    System.arraycopy(from, 0, bytes, length, count);
    length += count;
    return this;
  }

  /** Zeros up to the next multiple of 4. */
  CaptureWriter pad() {
    while (length % 4 != 0) {
      bytes[length++] = 0;
    }
    return this;
  }

  /** Ends a block of pcapng, whose second number is its length. */
  CaptureWriter end() {
    block.set(U32, 4, length + Integer.BYTES);
    return u32(length + Integer.BYTES);
  }

  /** Passes the block on and begins another. */
  void write() throws IOException {
    stream.write(bytes, 0, length);
    length = 0;
  }

  void flush() throws IOException {
    stream.flush();
  }

  void close() throws IOException {
    stream.close();
  }
}
