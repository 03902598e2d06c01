package io.isle.faces.shell.group;

import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings on a command line. */
final class Settings {
  private Settings() {}

  /**
   * Key to value; null for a key that is unset.
   *
   * @param settings {@code KEY=VALUE}; null if there are none
   * @param unset keys; null if there are none
   */
  static Map<String, String> parse(List<String> settings, List<String> unset) {
    Map<String, String> parsed = new LinkedHashMap<>();
    for (String setting : settings == null ? List.<String>of() : settings) {
      int at = setting.indexOf('=');
      if (at < 1) {
        throw ShellException.usage("'" + setting + "' is not a setting of the form KEY=VALUE");
      }
      put(parsed, setting.substring(0, at).strip(), setting.substring(at + 1).strip());
    }
    for (String key : unset == null ? List.<String>of() : unset) {
      put(parsed, key, null);
    }
    return parsed;
  }

  private static void put(Map<String, String> parsed, String key, String value) {
    if (parsed.containsKey(key)) {
      throw ShellException.usage(key + " is given twice");
    }
    parsed.put(key, value);
  }
}
