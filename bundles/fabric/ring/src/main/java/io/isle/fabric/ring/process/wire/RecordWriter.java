package io.isle.fabric.ring.process.wire;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes a record of a sealed interface: the index of its class, then its components in order. The
 * components decide on their bytes: a new component of a record needs no code here. One thread.
 */
public final class RecordWriter {
  /** The JDK makes accessors anew for each question. */
  private static final ClassValue<Method[]> ACCESSORS =
      new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
          return Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getAccessor)
              .toArray(Method[]::new);
        }
      };

  private final ByteBuffer to;

  public RecordWriter(ByteBuffer to) {
    this.to = to;
  }

  /**
   * Writes a message.
   *
   * @param family sealed interface of its record
   * @throws IllegalArgumentException if the message is too long, or has a component of a type that
   *     messages cannot have; a part is written
   */
  public <T> void message(Class<T> family, T message) {
    try {
      to.put((byte) List.of(family.getPermittedSubclasses()).indexOf(message.getClass()));
      value(message);
    } catch (BufferOverflowException e) {
      throw new IllegalArgumentException(
          message.getClass().getSimpleName() + ": more than " + to.capacity() + " bytes", e);
    }
  }

  private void value(Object value) {
    switch (value) {
      case Integer number -> to.putInt(number);
      case Long number -> to.putLong(number);
      case Boolean flag -> to.put((byte) (flag ? 1 : 0));
      case String text -> text(text);
      case Enum<?> one -> to.put((byte) one.ordinal());
      case Optional<?> maybe -> {
        to.put((byte) (maybe.isPresent() ? 1 : 0));
        maybe.ifPresent(this::value);
      }
      case List<?> list -> {
        if (list.size() > RecordReader.MOST_ITEMS) {
          throw new IllegalArgumentException(list.size() + " items of a list are too many");
        }
        to.putShort((short) list.size());
        list.forEach(this::value);
      }
      case Record record -> components(record);
      default -> throw new IllegalArgumentException(value.getClass() + " has no bytes");
    }
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > RecordReader.MOST_TEXT) {
      throw new IllegalArgumentException("a text of " + bytes.length + " bytes is too long");
    }
    to.putShort((short) bytes.length);
    to.put(bytes);
  }

  private void components(Record record) {
    for (Method accessor : ACCESSORS.get(record.getClass())) {
      try {
        value(accessor.invoke(record));
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalArgumentException(accessor + " cannot be read", e);
      }
    }
  }
}
