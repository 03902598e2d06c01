package io.isle.faces.shell.net.nets;

import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings on a command line. */
final class Changes {
  private final Map<String, String> values = new LinkedHashMap<>();

  /**
   * @param pairs {@code KEY=VALUE}; null for none
   * @param unset keys that go back to their defaults; null for none
   */
  Changes(List<String> pairs, List<String> unset) {
    for (String pair : pairs == null ? List.<String>of() : pairs) {
      int at = pair.indexOf('=');
      if (at < 1) {
        throw ShellException.usage("'" + pair + "' is not a setting of the form KEY=VALUE");
      }
      put(pair.substring(0, at).strip(), pair.substring(at + 1).strip());
    }
    (unset == null ? List.<String>of() : unset).forEach(key -> put(key, null));
  }

  private void put(String key, String value) {
    if (values.containsKey(key)) {
      throw ShellException.usage(key + " is given twice");
    }
    values.put(key, value);
  }

  /** Key to value in the order of the command line; null for a key without a value. */
  Map<String, String> values() {
    return values;
  }

  /** As {@link #values}, at least one. */
  Map<String, String> some() {
    if (values.isEmpty()) {
      throw ShellException.usage("nothing to set: KEY=VALUE or --unset KEY is needed");
    }
    return values;
  }
}
