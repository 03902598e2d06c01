package io.isle.core.drivers.nativecode.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The names of functions in a shared library for 64-bit little-endian machines, from its symbol
 * tables. The file may say anything: every position is checked against its size, tables and names
 * are bounded, and what makes no sense is no symbol.
 */
final class ElfSymbols implements AutoCloseable {
  /** Of a table of symbols: more than any library has that is worth the time. */
  private static final long MAX_TABLE = 8L << 20;

  private static final int MAX_NAME = 100;
  private static final int MAX_SECTIONS = 1024;

  private static final int HEADER = 64;
  private static final int SECTION = 64;
  private static final int SYMBOL = 24;
  private static final int BLOCK = 1024 * SYMBOL;

  /** The bytes 0x7f E L F, 64 bits, little-endian. */
  private static final long MAGIC = 0x01_02_46_4c_45_7fL;

  private static final int SYMTAB = 2;
  private static final int STRTAB = 3;
  private static final int DYNSYM = 11;
  private static final int FUNCTION = 2;
  private static final int INDIRECT_FUNCTION = 10;

  private final FileChannel file;
  private final long size;

  /** A function, and how far behind its beginning an address lies. */
  record Symbol(String name, long offset) {}

  private record Section(int type, long at, long bytes, int link) {}

  private ElfSymbols(FileChannel file, long size) {
    this.file = file;
    this.size = size;
  }

  /**
   * Opens a library.
   *
   * @throws IOException when it cannot be read
   */
  static ElfSymbols open(Path library) throws IOException {
    FileChannel file = FileChannel.open(library, StandardOpenOption.READ);
    try {
      return new ElfSymbols(file, file.size());
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * The function that an address lies in, counted from where the file's beginning is mapped.
   *
   * @return empty when there is none, or the file is no library
   * @throws IOException when it cannot be read
   */
  Optional<Symbol> at(long address) throws IOException {
    ByteBuffer sections = sections();
    // all functions are in the first, those for others to call in the second
    Optional<Symbol> found = find(sections, SYMTAB, address);
    return found.isPresent() ? found : find(sections, DYNSYM, address);
  }

  /** In the first table of a type: there is one of each. */
  private Optional<Symbol> find(ByteBuffer sections, int type, long address) throws IOException {
    int count = sections.capacity() / SECTION;
    for (int i = 0; i < count; i++) {
      Section table = section(sections, i);
      if (table.type == type) {
        return table.link < count
            ? find(table, section(sections, table.link), address)
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private ByteBuffer sections() throws IOException {
    ByteBuffer header = read(0, HEADER);
    if (header.capacity() < HEADER || (header.getLong(0) & 0xffff_ffff_ffffL) != MAGIC) {
      return ByteBuffer.allocate(0);
    }
    int count = Short.toUnsignedInt(header.getShort(60));
    return Short.toUnsignedInt(header.getShort(58)) != SECTION || count > MAX_SECTIONS
        ? ByteBuffer.allocate(0)
        : read(header.getLong(40), count * SECTION);
  }

  private static Section section(ByteBuffer sections, int index) {
    int at = index * SECTION;
    return new Section(
        sections.getInt(at + 4),
        sections.getLong(at + 24),
        sections.getLong(at + 32),
        sections.getInt(at + 40) & Integer.MAX_VALUE);
  }

  private Optional<Symbol> find(Section table, Section strings, long address) throws IOException {
    if (strings.type != STRTAB || !isInside(table) || !isInside(strings)) {
      return Optional.empty();
    }
    long end = table.at + Math.min(table.bytes, MAX_TABLE) / SYMBOL * SYMBOL;
    for (long at = table.at; at < end; at += BLOCK) {
      ByteBuffer block = read(at, (int) Math.min(BLOCK, end - at));
      for (int i = 0; i + SYMBOL <= block.capacity(); i += SYMBOL) {
        int type = block.get(i + 4) & 15;
        long start = block.getLong(i + 8);
        if ((type == FUNCTION || type == INDIRECT_FUNCTION)
            && block.getShort(i + 6) != 0
            && Long.compareUnsigned(address - start, block.getLong(i + 16)) < 0) {
          long name = Integer.toUnsignedLong(block.getInt(i));
          return name(strings, name).map(text -> new Symbol(text, address - start));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> name(Section strings, long offset) throws IOException {
    if (offset >= strings.bytes) {
      return Optional.empty();
    }
    ByteBuffer bytes = read(strings.at + offset, (int) Math.min(MAX_NAME, strings.bytes - offset));
    int length = 0;
    while (length < bytes.capacity() && bytes.get(length) != 0) {
      length++;
    }
    return length == 0
        ? Optional.empty()
        : Optional.of(
            new String(bytes.array(), 0, length, StandardCharsets.US_ASCII)
                .replaceAll("[^!-~]", "?"));
  }

  private boolean isInside(Section section) {
    return section.at >= 0 && section.bytes >= 0 && section.bytes <= size - section.at;
  }

  /** As much as there is of it. */
  private ByteBuffer read(long at, int length) throws IOException {
    if (at < 0 || at > size) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, size - at));
    while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {
      continue;
    }
    return ByteBuffer.wrap(bytes.array(), 0, bytes.position())
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
