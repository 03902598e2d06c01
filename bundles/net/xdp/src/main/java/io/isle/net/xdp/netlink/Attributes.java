package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.isle.api.net.NetException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The attributes of a message by their type; of several with one type, the last. */
final class Attributes {
  private static final int HEADER = 4;

  /** Without the marks of nested attributes and of network byte order. */
  private static final int TYPE = 0x3FFF;

  private static final int STATION_BYTES = 6;

  private final Map<Integer, MemorySegment> values = new HashMap<>();

  private Attributes() {}

  /**
   * Reads attributes up to the end of the memory.
   *
   * @throws NetException EPROTO for a length that is smaller than a header or passes the end
   */
  static Attributes read(MemorySegment bytes) {
    Attributes all = new Attributes();
    long at = 0;
    // the last one may be padded to 4 bytes
    while (bytes.byteSize() - at >= HEADER) {
      long left = bytes.byteSize() - at;
      int length = Short.toUnsignedInt(bytes.get(JAVA_SHORT_UNALIGNED, at));
      int type = bytes.get(JAVA_SHORT_UNALIGNED, at + 2) & TYPE;
      if (length < HEADER || length > left) {
        throw Message.broken("attribute %d of %d bytes within %d".formatted(type, length, left));
      }
      all.values.put(type, bytes.asSlice(at + HEADER, length - HEADER));
      at += length + 3 & -4;
    }
    return all;
  }

  boolean has(int type) {
    return values.containsKey(type);
  }

  Optional<MemorySegment> bytes(int type) {
    return Optional.ofNullable(values.get(type));
  }

  /** The attributes within an attribute; without any if there is none. */
  Attributes nested(int type) {
    return bytes(type).map(Attributes::read).orElseGet(Attributes::new);
  }

  OptionalInt u8(int type) {
    return value(type, 1).map(at -> OptionalInt.of(at.get(JAVA_BYTE, 0) & 0xFF)).orElse(NONE);
  }

  OptionalInt number(int type) {
    return value(type, Integer.BYTES)
        .map(at -> OptionalInt.of(at.get(JAVA_INT_UNALIGNED, 0)))
        .orElse(NONE);
  }

  /** An IPv4 address, first number highest; 0 without one. */
  int address(int type) {
    return Integer.reverseBytes(number(type).orElse(0));
  }

  /** A hardware address of Ethernet, 48 bits, first byte highest; empty for another length. */
  Optional<Long> station(int type) {
    return bytes(type)
        .filter(value -> value.byteSize() == STATION_BYTES)
        .map(
            value -> {
              long address = 0;
              for (int i = 0; i < STATION_BYTES; i++) {
                address = address << 8 | value.get(JAVA_BYTE, i) & 0xFF;
              }
              return address;
            });
  }

  /** A text up to its first zero; empty without one. */
  String text(int type) {
    return bytes(type)
        .map(value -> new String(value.toArray(JAVA_BYTE), StandardCharsets.UTF_8))
        .map(text -> text.indexOf(0) < 0 ? text : text.substring(0, text.indexOf(0)))
        .orElse("");
  }

  private static final OptionalInt NONE = OptionalInt.empty();

  private Optional<MemorySegment> value(int type, int bytes) {
    Optional<MemorySegment> value = bytes(type);
    if (value.isPresent() && value.get().byteSize() < bytes) {
      throw Message.broken(
          "attribute %d of %d bytes, not %d".formatted(type, value.get().byteSize(), bytes));
    }
    return value;
  }
}
