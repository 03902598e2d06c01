package io.isle.faces.shell.net.nets;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Paths of files in settings of nets, relative to the folder of the caller. */
final class NetPaths {
  private static final String FILE = "pcap:";

  private NetPaths() {}

  /** The settings with absolute paths; other values and null values stay. */
  static Map<String, String> absolute(Map<String, String> given) {
    Map<String, String> settings = new LinkedHashMap<>(given);
    settings.computeIfPresent(
        "interface",
        (key, value) ->
            value.startsWith(FILE) ? FILE + absolute(value.substring(FILE.length())) : value);
    settings.computeIfPresent(
        "pcap_sent", (key, value) -> value.isEmpty() ? value : absolute(value));
    return settings;
  }

  private static String absolute(String path) {
    try {
      return Path.of(path).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      // the net names the key
      return path;
    }
  }
}
