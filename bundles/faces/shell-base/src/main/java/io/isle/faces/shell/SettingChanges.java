package io.isle.faces.shell;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes of settings on a command line. */
public final class SettingChanges {
  private final Map<String, String> values = new LinkedHashMap<>();

  /**
   * @param pairs {@code KEY=VALUE}; null for none
   * @param unset keys that go back to their defaults; null for none
   * @throws ShellException for a pair without a key, and for a key that is given twice
   */
  public SettingChanges(List<String> pairs, List<String> unset) {
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
  public Map<String, String> values() {
    return values;
  }

  /**
   * As {@link #values}, at least one.
   *
   * @throws ShellException without any
   */
  public Map<String, String> some() {
    if (values.isEmpty()) {
      throw ShellException.usage("nothing to set: KEY=VALUE or --unset KEY is needed");
    }
    return values;
  }
}
