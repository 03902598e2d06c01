package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Unsigned numbers of headers, in network byte order. */
final class Fields {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Fields() {}

  static int u8(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
  }

  static int u16(MemorySegment memory, long at) {
    return memory.get(U16, at) & 0xFFFF;
  }

  static int u32(MemorySegment memory, long at) {
    return memory.get(U32, at);
  }

  static void u8(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  static void u16(MemorySegment memory, long at, int value) {
    memory.set(U16, at, (short) value);
  }

  static void u32(MemorySegment memory, long at, int value) {
    memory.set(U32, at, value);
  }
}
