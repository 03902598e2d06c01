package io.isle.mltool;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Writes JSON. */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** One object on one line. Values are null, texts, numbers, truths, lists and maps of these. */
  static String object(Map<String, ?> fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = FACTORY.createGenerator(text)) {
      write(to, fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator to, Object value) throws IOException {
    switch (value) {
      case null -> to.writeNull();
      case Map<?, ?> fields -> {
        to.writeStartObject();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
          to.writeFieldName(field.getKey().toString());
          write(to, field.getValue());
        }
        to.writeEndObject();
      }
      case List<?> values -> {
        to.writeStartArray();
        for (Object each : values) {
          write(to, each);
        }
        to.writeEndArray();
      }
      case Boolean truth -> to.writeBoolean(truth);
      case Number number -> to.writeNumber(number.toString());
      default -> to.writeString(value.toString());
    }
  }
}
