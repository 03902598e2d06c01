package io.isle.fabric.ring.process.wire;

import io.isle.api.base.ForeignText;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads what {@link RecordWriter} has written. The bytes may be hostile: each length and index is
 * checked, and nothing but the records of the message is made. One thread.
 */
public final class RecordReader {
  /** Most bytes of a text. */
  static final int MOST_TEXT = 16_384;

  /** Most items of a list. */
  static final int MOST_ITEMS = 256;

  private final ByteBuffer from;
  private final boolean foreign;

  /**
   * @param foreign whether control characters of texts are replaced, because texts are shown
   */
  public RecordReader(ByteBuffer from, boolean foreign) {
    this.from = from;
    this.foreign = foreign;
  }

  /**
   * Reads a message to its end.
   *
   * @param family sealed interface of its record
   */
  public <T> T message(Class<T> family) throws MalformedException {
    try {
      T message = family.cast(components(permitted(family)));
      if (from.hasRemaining()) {
        throw new MalformedException(from.remaining() + " bytes too many");
      }
      return message;
    } catch (BufferUnderflowException e) {
      throw new MalformedException("too short", e);
    }
  }

  private Class<?> permitted(Class<?> family) throws MalformedException {
    Class<?>[] known = family.getPermittedSubclasses();
    return known[index("message", known.length)];
  }

  private int index(String what, int count) throws MalformedException {
    int index = Byte.toUnsignedInt(from.get());
    if (index >= count) {
      throw new MalformedException(what + ": " + index + " is not below " + count);
    }
    return index;
  }

  private Object value(Type type) throws MalformedException {
    if (type == int.class) {
      return from.getInt();
    } else if (type == long.class) {
      return from.getLong();
    } else if (type == boolean.class) {
      return index("flag", 2) == 1;
    } else if (type == String.class) {
      return text();
    } else if (type instanceof ParameterizedType generic) {
      return several(generic);
    } else if (type instanceof Class<?> known && known.isEnum()) {
      Object[] all = known.getEnumConstants();
      return all[index(known.getSimpleName(), all.length)];
    } else if (type instanceof Class<?> known && known.isRecord()) {
      return components(known);
    }
    throw new IllegalArgumentException(type + " has no bytes");
  }

  private Object several(ParameterizedType type) throws MalformedException {
    Type item = type.getActualTypeArguments()[0];
    if (type.getRawType() == Optional.class) {
      return index("option", 2) == 1 ? Optional.of(value(item)) : Optional.empty();
    } else if (type.getRawType() == List.class) {
      int count = Short.toUnsignedInt(from.getShort());
      if (count > MOST_ITEMS) {
        throw new MalformedException("a list of " + count + " items; at most " + MOST_ITEMS);
      }
      List<Object> items = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        items.add(value(item));
      }
      return List.copyOf(items);
    }
    throw new IllegalArgumentException(type + " has no bytes");
  }

  private String text() throws MalformedException {
    int length = Short.toUnsignedInt(from.getShort());
    if (length > Math.min(MOST_TEXT, from.remaining())) {
      throw new MalformedException("a text of " + length + " bytes; at most " + MOST_TEXT);
    }
    ByteBuffer bytes = from.slice(from.position(), length);
    from.position(from.position() + length);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return foreign ? ForeignText.lines(text) : text;
    } catch (CharacterCodingException e) {
      throw new MalformedException("a text that is not UTF-8", e);
    }
  }

  /** The constructor of a record checks what is between its components. */
  private Object components(Class<?> type) throws MalformedException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getGenericType());
    }
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      return canonical.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new MalformedException(
          type.getSimpleName() + ": " + e.getCause().getMessage(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type + " cannot be made", e);
    }
  }
}
