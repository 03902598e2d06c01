package io.isle.api.base;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The settings of a service with their values. Each value is checked on its own; a bad value leaves
 * the previous value in force. Immutable.
 */
public final class CheckedSettings {
  private final List<Setting> schema;
  private final Map<String, String> values;

  private CheckedSettings(List<Setting> schema, Map<String, String> values) {
    this.schema = List.copyOf(schema);
    this.values = Map.copyOf(values);
  }

  /** All settings of a schema with their default values. */
  public static CheckedSettings defaults(List<Setting> schema) {
    Map<String, String> values = new HashMap<>();
    schema.forEach(setting -> values.put(setting.key(), setting.normalise(setting.defaultValue())));
    return new CheckedSettings(schema, values);
  }

  /**
   * The settings after a change of the configuration. A bad value leaves the previous value in
   * force. A setting without a value gets its default. Keys outside of the schema are ignored.
   *
   * @param properties key to value; the text of a value counts
   * @param refused called with a message for each bad value: key, reason, and the value that stays
   *     in force
   */
  public CheckedSettings change(Map<String, ?> properties, Consumer<String> refused) {
    Map<String, String> now = new HashMap<>(defaults(schema).values);
    for (Setting setting : schema) {
      Object given = properties.get(setting.key());
      if (given == null) {
        continue;
      }
      String text = given.toString().strip();
      String before = values.get(setting.key());
      setting
          .refusal(text)
          .ifPresentOrElse(
              why -> {
                now.put(setting.key(), before);
                refused.accept(why + "; " + before + " stays in force");
              },
              () -> now.put(setting.key(), setting.normalise(text)));
    }
    return new CheckedSettings(schema, now);
  }

  /**
   * A copy with another value of one setting.
   *
   * @param setting a setting of the schema
   * @param value a valid value
   */
  public CheckedSettings with(Setting setting, String value) {
    Map<String, String> now = new HashMap<>(values);
    now.put(setting.key(), setting.normalise(value));
    return new CheckedSettings(schema, now);
  }

  /** The values that differ from earlier settings of the same schema: key to current value. */
  public Map<String, String> since(CheckedSettings before) {
    Map<String, String> changed = new TreeMap<>(values);
    changed.entrySet().removeAll(before.values.entrySet());
    return changed;
  }

  /** The value of a setting of the schema, as text. */
  public String text(Setting setting) {
    return values.get(setting.key());
  }

  /** The value of an INT or BYTES setting of the schema. */
  public long number(Setting setting) {
    return Long.parseLong(text(setting));
  }

  /** The value of a BOOL setting of the schema. */
  public boolean flag(Setting setting) {
    return Boolean.parseBoolean(text(setting));
  }
}
