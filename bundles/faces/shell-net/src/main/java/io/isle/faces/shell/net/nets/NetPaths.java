package io.isle.faces.shell.net.nets;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Paths of files in settings of nets, relative to the folder of the caller. */
final class NetPaths {
  private static final String FILE = "pcap:";

  private NetPaths() {}

  /**
   * The settings with absolute paths; other values and null values stay.
   *
   * @param resolve makes a path absolute
   */
  static Map<String, String> absolute(Map<String, String> given, Function<String, Path> resolve) {
    Map<String, String> settings = new LinkedHashMap<>(given);
    settings.computeIfPresent(
        "interface",
        (key, value) ->
            value.startsWith(FILE) ? FILE + resolve.apply(value.substring(FILE.length())) : value);
    settings.computeIfPresent(
        "pcap_sent", (key, value) -> value.isEmpty() ? value : resolve.apply(value).toString());
    return settings;
  }
}
