package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds one netlink message: a header, a structure, attributes that may be nested. */
final class MessageWriter {
  private static final int HEADER = 16;
  private static final int ATTRIBUTE = 4;
  private static final int NESTED = 0x8000;
  private static final int BYTES = 1024;

  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);
  private int at = HEADER;

  MessageWriter(int type, int flags) {
    memory.set(JAVA_SHORT_UNALIGNED, 4, (short) type);
    memory.set(JAVA_SHORT_UNALIGNED, 6, (short) (Rtm.REQUEST | flags));
  }

  MessageWriter u8(int value) {
    memory.set(JAVA_BYTE, at, (byte) value);
    at += 1;
    return this;
  }

  MessageWriter u16(int value) {
    memory.set(JAVA_SHORT_UNALIGNED, at, (short) value);
    at += 2;
    return this;
  }

  MessageWriter u32(int value) {
    memory.set(JAVA_INT_UNALIGNED, at, value);
    at += 4;
    return this;
  }

  MessageWriter attribute(int type, byte[] value) {
    int from = open(type);
    MemorySegment.copy(value, 0, memory, JAVA_BYTE, at, value.length);
    at += value.length;
    return close(from);
  }

  /** A number in the byte order of the machine. */
  MessageWriter number(int type, int value) {
    int from = open(type);
    return u32(value).close(from);
  }

  /** An IPv4 address, whose first number comes first. */
  MessageWriter address(int type, int address) {
    int from = open(type);
    return u32(Integer.reverseBytes(address)).close(from);
  }

  /** The hardware address of Ethernet, first byte first. */
  MessageWriter station(int type, long address) {
    byte[] bytes = new byte[6];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (address >>> (40 - 8 * i));
    }
    return attribute(type, bytes);
  }

  MessageWriter text(int type, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return attribute(type, Arrays.copyOf(bytes, bytes.length + 1));
  }

  /** Begins an attribute of attributes, or of a structure; {@link #close} ends the attribute. */
  int nest(int type) {
    return open(type | NESTED);
  }

  private int open(int type) {
    int from = at;
    memory.set(JAVA_SHORT_UNALIGNED, at + 2, (short) type);
    at += ATTRIBUTE;
    return from;
  }

  MessageWriter close(int from) {
    memory.set(JAVA_SHORT_UNALIGNED, from, (short) (at - from));
    at = at + 3 & -4;
    return this;
  }

  /** The message with its number. */
  MemorySegment finish(int number) {
    memory.set(JAVA_INT_UNALIGNED, 0, at);
    memory.set(JAVA_INT_UNALIGNED, 8, number);
    return memory.asSlice(0, at);
  }
}
