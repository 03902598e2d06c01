package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** Bytes as they are written by hand. */
final class Bytes {
  private Bytes() {}

  /** Hexadecimal digits, with blanks between them. */
  static byte[] of(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
  }

  static MemorySegment segment(String hex) {
    return MemorySegment.ofArray(of(hex));
  }

  static String hex(MemorySegment memory, long offset, long length) {
    return HexFormat.ofDelimiter(" ")
        .formatHex(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
  }
}
