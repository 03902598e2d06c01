package io.isle.lib.packet.capture;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The bytes of a capture file in order, with their offset, in the file's byte order. */
final class Input {
  static final ValueLayout.OfInt BIG_U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final InputStream stream;
  private final String name;
  private final byte[] head = new byte[32];
  private final MemorySegment fields = MemorySegment.ofArray(head);
  private ValueLayout.OfInt u32 = BIG_U32;
  private ValueLayout.OfShort u16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private long offset;
  private String part = "";
  private long number;
  private long begin;

  Input(InputStream stream, String name) {
    this.stream = stream;
    this.name = name;
  }

  boolean isBig() {
    return u32.order() == ByteOrder.BIG_ENDIAN;
  }

  void order(ByteOrder order) {
    u32 = u32.withOrder(order);
    u16 = u16.withOrder(order);
  }

  /**
   * Names what is read from now on, for messages.
   *
   * @param counted number of the part; 0 for the only one
   */
  void at(String name, long counted) {
    part = name;
    number = counted;
    begin = offset;
  }

  long offset() {
    return offset;
  }

  /**
   * Reads up to 32 bytes, whose fields can be asked for until the next call.
   *
   * @return false at the end of the file, if it is before the first byte
   */
  boolean head(int bytes) throws IOException {
    int got = stream.readNBytes(head, 0, bytes);
    if (got == 0) {
      return false;
    }
    offset += got;
    if (got < bytes) {
      throw ends(bytes - got);
    }
    return true;
  }

  /** As {@link #head}, where the file may not end. */
  void fields(int bytes) throws IOException {
    if (!head(bytes)) {
      throw ends(bytes);
    }
  }

  int u32(int at) {
    return fields.get(u32, at);
  }

  /** As big-endian, whatever the file's order. */
  int big32(int at) {
    return fields.get(BIG_U32, at);
  }

  int u16(int at) {
    return fields.get(u16, at) & 0xFFFF;
  }

  /** A 32-bit number in other memory, in the byte order of the file. */
  int u32(MemorySegment memory, long at) {
    return memory.get(u32, at);
  }

  int u16(MemorySegment memory, long at) {
    return memory.get(u16, at) & 0xFFFF;
  }

  /** A 64-bit number in other memory, in the byte order of the file. */
  long u64(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(u32.order()), at);
  }

  void read(byte[] into, int bytes) throws IOException {
    int got = stream.readNBytes(into, 0, bytes);
    offset += got;
    if (got < bytes) {
      throw ends(bytes - got);
    }
  }

  void skip(long bytes) throws IOException {
    long left = bytes;
    while (left > 0) {
      long got = stream.skip(left);
      if (got == 0) {
        if (stream.read() < 0) {
          throw ends(left);
        }
        got = 1;
      }
      left -= got;
      offset += got;
    }
  }

  private CaptureException ends(long missing) {
    return failure("the file ends at offset " + offset + ", " + missing + " bytes too early");
  }

  CaptureException failure(String text) {
    String which = number == 0 ? part : part + " " + number;
    String place = part.isEmpty() ? "" : which + " at offset " + begin + ": ";
    return new CaptureException(name + ": " + place + text);
  }

  void close() throws IOException {
    stream.close();
  }
}
