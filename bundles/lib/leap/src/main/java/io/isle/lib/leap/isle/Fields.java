package io.isle.lib.leap.isle;

import io.isle.api.base.ForeignText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Fields of payloads of the control path, read from hostile bytes. */
final class Fields {
  static final int NAME_BYTES = 32;
  static final int ADDRESS_BYTES = 64;
  static final int MAX_LAYERS = 65536;
  static final int MAX_ROLE = 3;
  static final int MAX_STATE = 3;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,31}");
  private static final Pattern ADDRESS = Pattern.compile("[!-~]{0,64}");

  private Fields() {}

  static String name(String field, MemorySegment from, long offset) {
    return requireName(field, text(field, from, offset, NAME_BYTES));
  }

  static String requireName(String field, String text) {
    if (!NAME.matcher(text).matches()) {
      throw new FrameException(field + " '" + ForeignText.line(text) + "' is not " + NAME);
    }
    return text;
  }

  /** Printable ASCII; may be empty. */
  static String address(String field, MemorySegment from, long offset) {
    return requireAddress(field, text(field, from, offset, ADDRESS_BYTES));
  }

  static String requireAddress(String field, String text) {
    if (!ADDRESS.matcher(text).matches()) {
      throw new FrameException(field + " '" + ForeignText.line(text) + "' is not " + ADDRESS);
    }
    return text;
  }

  /** Text with zeros behind it. */
  static String text(String field, MemorySegment from, long offset, int bytes) {
    byte[] raw = from.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE);
    int length = 0;
    while (length < bytes && raw[length] != 0) {
      length++;
    }
    for (int i = length; i < bytes; i++) {
      if (raw[i] != 0) {
        throw new FrameException(field + ": byte " + i + " behind the end of the text is not 0");
      }
    }
    return new String(raw, 0, length, StandardCharsets.UTF_8);
  }

  /** Writes a text and zeros behind it; cuts a longer text at a whole character. */
  static void text(MemorySegment to, long offset, int bytes, String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(raw.length, bytes);
    while (length > 0 && length < raw.length && (raw[length] & 0xC0) == 0x80) {
      length--;
    }
    to.asSlice(offset, bytes).fill((byte) 0);
    MemorySegment.copy(raw, 0, to, ValueLayout.JAVA_BYTE, offset, length);
  }

  static int u8(String field, MemorySegment from, long offset, int most) {
    return (int) within(field, from.get(IsleFrame.U8, offset) & 0xFF, 0, most);
  }

  static int u16(MemorySegment from, long offset) {
    return from.get(IsleFrame.U16, offset) & 0xFFFF;
  }

  static int u32(String field, MemorySegment from, long offset, int least, int most) {
    return (int) within(field, from.get(IsleFrame.U32, offset) & 0xFFFF_FFFFL, least, most);
  }

  /** A number of 63 bits. */
  static long u63(String field, MemorySegment from, long offset) {
    return within(field, from.get(IsleFrame.U64, offset), 0, Long.MAX_VALUE);
  }

  static void zero(String field, MemorySegment from, long offset, int bytes) {
    for (int i = 0; i < bytes; i++) {
      if (from.get(IsleFrame.U8, offset + i) != 0) {
        throw new FrameException(field + " is not 0");
      }
    }
  }

  private static long within(String field, long value, long least, long most) {
    if (value < least || value > most) {
      throw new FrameException(field + " " + value + " is not in " + least + ".." + most);
    }
    return value;
  }
}
