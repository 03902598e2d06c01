package io.isle.lib.net.ping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The payload of a request: the mark of its client and its number, in 4 bytes each, then bytes that
 * differ by number and place.
 */
final class PingPayload {
  /** Bytes of mark and number. */
  static final int MIN_BYTES = 8;

  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int STEP = 31;

  private PingPayload() {}

  static void write(MemorySegment memory, long offset, int bytes, int mark, int number) {
    memory.set(WORD, offset, mark);
    memory.set(WORD, offset + 4, number);
    for (int i = MIN_BYTES; i < bytes; i++) {
      memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (number * STEP + i));
    }
  }

  /** Whether the payload has a mark and a number, and this mark. */
  static boolean isOf(MemorySegment memory, long offset, int bytes, int mark) {
    return bytes >= MIN_BYTES && memory.get(WORD, offset) == mark;
  }

  /** The number as the bytes say, any; of a payload with a mark. */
  static int number(MemorySegment memory, long offset) {
    return memory.get(WORD, offset + 4);
  }

  /** Whether the bytes behind the number are those of a request. */
  static boolean isIntact(MemorySegment memory, long offset, int bytes, int number) {
    for (int i = MIN_BYTES; i < bytes; i++) {
      if (memory.get(ValueLayout.JAVA_BYTE, offset + i) != (byte) (number * STEP + i)) {
        return false;
      }
    }
    return true;
  }
}
