package io.isle.lib.packet.capture;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** The options of a block of pcapng, one after the other. */
final class Options {
  static final int COMMENT = 1;
  private static final int MAX_BYTES = 1 << 18;
  private static final int MAX_TEXT = 4096;
  private static final int HEADER_BYTES = 4;

  private final Input input;
  private byte[] bytes = new byte[256];
  private MemorySegment memory = MemorySegment.ofArray(bytes);
  private int end;
  private int at;
  private int value;
  private int code;
  private int length;

  Options(Input input) {
    this.input = input;
  }

  /** Reads all options of a block. */
  void read(long room) throws IOException {
    if (room > MAX_BYTES) {
      throw input.failure("options of " + room + " bytes are longer than " + MAX_BYTES);
    }
    if (room > bytes.length) {
      bytes = new byte[(int) room];
      memory = MemorySegment.ofArray(bytes);
    }
    end = (int) room;
    at = 0;
    input.read(bytes, end);
  }

  /** Moves to the next option; false at the end. */
  boolean next() throws IOException {
    if (end - at < HEADER_BYTES) {
      return false;
    }
    code = input.u16(memory, at);
    length = input.u16(memory, at + 2);
    value = at + HEADER_BYTES;
    if (code == 0) {
      return false;
    }
    if (length > end - value) {
      throw input.failure(
          "option %d has length %d, of which %d bytes are there"
              .formatted(code, length, end - value));
    }
    at = value + (length + 3 & -4);
    return true;
  }

  int code() {
    return code;
  }

  /** The begin of a text. */
  String text() {
    return new String(bytes, value, Math.min(length, MAX_TEXT), StandardCharsets.UTF_8);
  }

  /** A number of 1, 4 or 8 bytes. */
  long number(int size) throws IOException {
    if (length != size) {
      throw input.failure("option " + code + " has length " + length + ", not " + size);
    }
    return switch (size) {
      case 1 -> bytes[value] & 0xFF;
      case 4 -> Integer.toUnsignedLong(input.u32(memory, value));
      default -> input.u64(memory, value);
    };
  }
}
