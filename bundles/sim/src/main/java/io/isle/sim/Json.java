package io.isle.sim;

import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON. */
final class Json {
  private Json() {}

  /** Of numbers, texts and null. */
  static String object(Map<String, Object> fields) {
    return fields.entrySet().stream()
        .map(field -> quoted(field.getKey()) + ":" + value(field.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String value(Object value) {
    return value instanceof String text ? quoted(text) : String.valueOf(value);
  }

  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
