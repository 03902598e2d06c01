package io.isle.sim;

import io.isle.lib.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Path;

/** Reads the file of a scenario. */
final class ScenarioFile {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_DEPTH = 12;
  private static final int MAX_VALUES = 100_000;

  private static final YamlReader<Field> READER =
      new YamlReader<>(
          new YamlReader.Bounds(MAX_BYTES, MAX_DEPTH, MAX_VALUES),
          "a scenario needs devices and contexts",
          Field::new);

  private ScenarioFile() {}

  static Field read(Path file) {
    try {
      return READER.read(file);
    } catch (IOException e) {
      throw SimException.failed(file + ": " + YamlReader.reason(file, e));
    }
  }

  /**
   * @param file its name for messages
   */
  static Field parse(String file, byte[] bytes) {
    return READER.parse(file, bytes);
  }
}
