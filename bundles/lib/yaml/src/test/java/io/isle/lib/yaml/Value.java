package io.isle.lib.yaml;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The least that who reads files has to add. */
final class Value extends YamlValue<Value> {
  static final int BYTES = 64 * 1024;
  static final int DEPTH = 5;
  static final int VALUES = 100;
  static final YamlReader<Value> READER =
      new YamlReader<>(
          new YamlReader.Bounds(BYTES, DEPTH, VALUES), "it needs something", Value::new);

  /** What a mistake is in these tests. */
  static final class Mistake extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int line;

    Mistake(int line, String message) {
      super(message);
      this.line = line;
    }
  }

  Value(YamlNode at) {
    super(at, Value::new);
  }

  static Value parse(String text) {
    return READER.parse("f.yml", text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Mistake error(String message) {
    return new Mistake(line(), located(message));
  }

  Map<String, Value> all() {
    return entries();
  }

  List<Value> list() {
    return items();
  }
}
