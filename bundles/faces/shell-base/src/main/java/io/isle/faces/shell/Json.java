package io.isle.faces.shell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Writes maps, lists, strings, numbers, booleans and null as one JSON document. Characters beyond
 * ASCII are escaped, so that no terminal's encoding can spoil it.
 */
public final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private Json() {}

  /**
   * The document as text, without a line end.
   *
   * @throws IllegalArgumentException for a value of another type
   */
  public static String text(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      write(generator, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator generator, Object value) throws IOException {
    switch (value) {
      case null -> generator.writeNull();
      case String text -> generator.writeString(text);
      case Boolean flag -> generator.writeBoolean(flag);
      case Integer number -> generator.writeNumber(number);
      case Long number -> generator.writeNumber(number);
      case Double number -> writeDouble(generator, number);
      case Map<?, ?> map -> {
        generator.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          generator.writeFieldName(String.valueOf(entry.getKey()));
          write(generator, entry.getValue());
        }
        generator.writeEndObject();
      }
      case Iterable<?> list -> {
        generator.writeStartArray();
        for (Object element : list) {
          write(generator, element);
        }
        generator.writeEndArray();
      }
      default ->
          throw new IllegalArgumentException(value.getClass().getName() + " has no JSON form");
    }
  }

  /** Infinity and NaN have no JSON form: null. */
  private static void writeDouble(JsonGenerator generator, double number) throws IOException {
    if (Double.isFinite(number)) {
      generator.writeNumber(number);
    } else {
      generator.writeNull();
    }
  }
}
