package io.isle.spin.nic.offline;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

/**
 * The functions of an image, by the offsets of their instructions, where the image has a table of
 * them. An image is hostile: a table that is not whole has no functions. Immutable.
 */
public final class ImageFunctions {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int HEADER = 52;
  private static final int SECTION = 40;
  private static final int SYMBOL = 16;
  private static final int SYMBOLS = 2;
  private static final int FUNCTION = 2;
  private static final int MAX_SECTIONS = 64;
  private static final int MAX_SYMBOLS = 1 << 16;
  private static final int MAX_NAME = 128;

  private record Function(String name, long begin, long bytes) {}

  private final MemorySegment image;
  private final TreeMap<Long, Function> functions = new TreeMap<>();

  private ImageFunctions(byte[] bytes) {
    image = MemorySegment.ofArray(bytes);
  }

  /** Reads the tables of an image. */
  public static ImageFunctions of(byte[] image) {
    ImageFunctions all = new ImageFunctions(image);
    all.read();
    return all;
  }

  /**
   * Where an instruction is, such as {@code slmp_ph+0x1c}; empty if no function is known.
   *
   * @param instruction offset in the image
   */
  public String at(long instruction) {
    Map.Entry<Long, Function> before = functions.floorEntry(instruction);
    if (before == null) {
      return "";
    }
    Function function = before.getValue();
    long inside = instruction - function.begin();
    return inside < function.bytes() ? function.name() + "+0x" + Long.toHexString(inside) : "";
  }

  private boolean has(long offset, long bytes) {
    return offset >= 0 && bytes >= 0 && offset <= image.byteSize() - bytes;
  }

  private long word(long offset) {
    return Integer.toUnsignedLong(image.get(U32, offset));
  }

  private void read() {
    if (!has(0, HEADER) || word(0) != 0x464C457FL) {
      return;
    }
    long sections = word(32);
    int size = Short.toUnsignedInt(image.get(U16, 46));
    int count = Short.toUnsignedInt(image.get(U16, 48));
    if (size != SECTION || count > MAX_SECTIONS || !has(sections, (long) count * SECTION)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      long section = sections + (long) i * SECTION;
      long names = word(section + 24);
      if (word(section + 4) == SYMBOLS && names < count) {
        symbols(section, sections + names * SECTION);
      }
    }
  }

  private void symbols(long section, long names) {
    long offset = word(section + 16);
    long bytes = word(section + 20);
    long text = word(names + 16);
    long textBytes = word(names + 20);
    if (!has(offset, bytes) || !has(text, textBytes) || bytes / SYMBOL > MAX_SYMBOLS) {
      return;
    }
    for (long at = offset; at + SYMBOL <= offset + bytes; at += SYMBOL) {
      if ((image.get(ValueLayout.JAVA_BYTE, at + 12) & 0xF) == FUNCTION) {
        String name = name(text, textBytes, word(at));
        if (!name.isEmpty()) {
          functions.put(word(at + 4), new Function(name, word(at + 4), word(at + 8)));
        }
      }
    }
  }

  /** Empty for what is not a name in C. */
  private String name(long text, long textBytes, long begin) {
    long most = Math.min(textBytes, begin + MAX_NAME);
    StringBuilder name = new StringBuilder();
    for (long at = begin; at < most; at++) {
      byte one = image.get(ValueLayout.JAVA_BYTE, text + at);
      if (one == 0) {
        String whole = name.toString();
        return whole.matches("[A-Za-z_.$][A-Za-z0-9_.$]*") ? whole : "";
      }
      name.append((char) (one & 0xFF));
    }
    return "";
  }
}
