package io.isle.lib.kabi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The layout of a C structure, by the rules of natural alignment on a 64-bit little-endian machine.
 * For the control path; reads and writes use field names. Immutable.
 */
public final class CStruct {
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String name;
  private final long size;
  private final long alignment;
  private final Map<String, Field> fields;

  private CStruct(String name, long size, long alignment, Map<String, Field> fields) {
    this.name = name;
    this.size = size;
    this.alignment = alignment;
    this.fields = fields;
  }

  /**
   * A field.
   *
   * @param name name of the field
   * @param offset in bytes
   * @param size in bytes
   * @param unit size of one scalar in bytes, or of the whole field for text and structures
   */
  public record Field(String name, long offset, long size, int unit) {}

  /** A builder of a structure with this name. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Name of the structure. */
  public String name() {
    return name;
  }

  /** Size in bytes, including trailing padding. */
  public long size() {
    return size;
  }

  /** The fields, by offset. */
  public List<Field> fields() {
    return List.copyOf(fields.values());
  }

  /** Offset of a field in bytes. */
  public long offset(String field) {
    return field(field).offset;
  }

  /** The value of a scalar field, zero-extended. */
  public long get(MemorySegment memory, String field) {
    return at(memory, field, 0);
  }

  /** The value of a scalar field of at most 32 bits, as a signed number. */
  public int getInt(MemorySegment memory, String field) {
    return (int) get(memory, field);
  }

  /**
   * Element {@code index} of an array of scalars, zero-extended.
   *
   * @throws IndexOutOfBoundsException if the array has no such element
   */
  public long at(MemorySegment memory, String name, int index) {
    Field field = field(name);
    Objects.checkIndex(index, field.size / field.unit);
    long offset = field.offset + (long) index * field.unit;
    return switch (field.unit) {
      case 1 -> memory.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
      case 2 -> memory.get(U16, offset) & 0xffffL;
      case 4 -> memory.get(U32, offset) & 0xffff_ffffL;
      case 8 -> memory.get(U64, offset);
      default -> throw new IllegalArgumentException(this.name + "." + name + " is not a scalar");
    };
  }

  /** Writes a scalar field. */
  public void set(MemorySegment memory, String name, long value) {
    Field field = field(name);
    switch (field.unit) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, field.offset, (byte) value);
      case 2 -> memory.set(U16, field.offset, (short) value);
      case 4 -> memory.set(U32, field.offset, (int) value);
      case 8 -> memory.set(U64, field.offset, value);
      default -> throw new IllegalArgumentException(this.name + "." + name + " is not a scalar");
    }
  }

  /**
   * The text of a fixed-size field, up to its NUL or its end, as one line for a terminal: control
   * and format characters become '?'.
   */
  public String text(MemorySegment memory, String name) {
    Field field = field(name);
    byte[] bytes = memory.asSlice(field.offset, field.size).toArray(ValueLayout.JAVA_BYTE);
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8)
        .replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  /**
   * Writes a NUL-terminated text.
   *
   * @throws IllegalArgumentException if the text does not fit, with the field and its size
   */
  public void setText(MemorySegment memory, String name, String value) {
    Field field = field(name);
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= field.size) {
      throw new IllegalArgumentException(
          this.name + "." + name + " holds " + (field.size - 1) + " bytes, not " + bytes.length);
    }
    memory.asSlice(field.offset, field.size).fill((byte) 0);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, field.offset, bytes.length);
  }

  private Field field(String field) {
    Field found = fields.get(field);
    if (found == null) {
      throw new IllegalArgumentException(name + " has no field " + field);
    }
    return found;
  }

  /** Adds fields in C's order. */
  public static final class Builder {
    private final String name;
    private final List<Field> fields = new ArrayList<>();
    private long offset;
    private long alignment = 1;

    private Builder(String name) {
      this.name = name;
    }

    private Builder add(String field, long size, int unit, long align) {
      alignment = Math.max(alignment, align);
      offset = (offset + align - 1) / align * align;
      fields.add(new Field(field, offset, size, unit));
      offset += size;
      return this;
    }

    public Builder u8(String... names) {
      return scalars(1, names);
    }

    public Builder u16(String... names) {
      return scalars(2, names);
    }

    public Builder u32(String... names) {
      return scalars(4, names);
    }

    public Builder u64(String... names) {
      return scalars(8, names);
    }

    private Builder scalars(int unit, String... names) {
      for (String field : names) {
        add(field, unit, unit, unit);
      }
      return this;
    }

    /** An array of scalars of {@code unit} bytes. */
    public Builder array(String field, int unit, int count) {
      return add(field, (long) unit * count, unit, unit);
    }

    /** An array of char. */
    public Builder text(String field, int bytes) {
      return add(field, bytes, bytes, 1);
    }

    /** {@code count} structures. */
    public Builder struct(String field, CStruct type, int count) {
      return add(
          field, type.size * count, (int) Math.min(Integer.MAX_VALUE, type.size), type.alignment);
    }

    public CStruct build() {
      Map<String, Field> map = new LinkedHashMap<>();
      fields.forEach(field -> map.put(field.name(), field));
      return new CStruct(name, (offset + alignment - 1) / alignment * alignment, alignment, map);
    }
  }
}
