package io.isle.lib.leap.isle;

import io.isle.api.base.ForeignText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The payload of a refusal: the reason in UTF-8. Pure functions, safe for any thread. */
public final class Refusal {
  /** Most bytes of the payload. */
  public static final int MAX_BYTES = 512;

  private Refusal() {}

  /**
   * Writes a reason; a longer one is cut.
   *
   * @return bytes of the payload, 1 to {@link #MAX_BYTES}
   */
  public static int write(MemorySegment to, long offset, String reason) {
    byte[] raw = (reason.isEmpty() ? "refused" : reason).getBytes(StandardCharsets.UTF_8);
    int length = Math.min(raw.length, MAX_BYTES);
    while (length < raw.length && (raw[length] & 0xC0) == 0x80) {
      length--;
    }
    MemorySegment.copy(raw, 0, to, ValueLayout.JAVA_BYTE, offset, length);
    return length;
  }

  /** The reason as one line that a terminal can show. */
  public static String read(MemorySegment from, long offset, int length) {
    byte[] raw = from.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    return ForeignText.line(new String(raw, StandardCharsets.UTF_8));
  }
}
