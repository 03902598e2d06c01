package io.isle.core.observe;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Values of PID {@code io.isle.metrics}.
 *
 * @param file where metrics are written; empty for nowhere
 * @param interval between two writes, 1 s to 1 h
 */
record MetricsSettings(Optional<Path> file, Duration interval) {
  static final String PID = "io.isle.metrics";

  private static final Setting FILE =
      Setting.string(
          "file",
          "",
          "absolute path of a file that is replaced by the metrics in the text format of"
              + " Prometheus, for the textfile collector of node_exporter; empty: no file");
  private static final Setting INTERVAL_S =
      Setting.integer("interval_s", 1, 3600, 15, "seconds between two writes of the file");

  @SettingsSchema(pid = PID)
  static final List<Setting> SCHEMA = List.of(FILE, INTERVAL_S);

  /**
   * What settings of {@link #SCHEMA} say.
   *
   * @throws IllegalArgumentException for a path that is not absolute
   */
  static MetricsSettings of(CheckedSettings settings) {
    String text = settings.text(FILE);
    Optional<Path> file = Optional.empty();
    if (!text.isEmpty()) {
      file = Optional.of(path(text));
    }
    return new MetricsSettings(file, Duration.ofSeconds(settings.number(INTERVAL_S)));
  }

  private static Path path(String text) {
    Path path = Path.of(text);
    if (!path.isAbsolute() || path.getFileName() == null) {
      throw new IllegalArgumentException("file: '" + text + "' is no absolute path of a file");
    }
    return path;
  }
}
