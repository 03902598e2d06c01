package io.isle.faces.shell.ring;

import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings of nodes on a command line. */
final class Settings {
  private final Map<String, String> values = new LinkedHashMap<>();

  /**
   * Adds {@code KEY=VALUE}.
   *
   * @param pairs null for none
   */
  Settings pairs(List<String> pairs) {
    for (String pair : pairs == null ? List.<String>of() : pairs) {
      int at = pair.indexOf('=');
      if (at < 1) {
        throw ShellException.usage("'" + pair + "' is not a setting of the form KEY=VALUE");
      }
      put(pair.substring(0, at).strip(), pair.substring(at + 1).strip());
    }
    return this;
  }

  /**
   * Adds keys without a value, which go back to their defaults.
   *
   * @param keys null for none
   */
  Settings unset(List<String> keys) {
    (keys == null ? List.<String>of() : keys).forEach(key -> put(key, null));
    return this;
  }

  private void put(String key, String value) {
    if (values.containsKey(key)) {
      throw ShellException.usage(key + " is given twice");
    }
    values.put(key, value);
  }

  /** Key to value, in the order of the command line; null for a key without a value. */
  Map<String, String> values() {
    return values;
  }
}
