package io.isle.api.base;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The values of a service's settings, each checked on its own: a bad one leaves the one of before
 * in force. Immutable.
 */
public final class CheckedSettings {
  private final List<Setting> schema;
  private final Map<String, String> values;

  private CheckedSettings(List<Setting> schema, Map<String, String> values) {
    this.schema = List.copyOf(schema);
    this.values = Map.copyOf(values);
  }

  /** Each setting with its default. */
  public static CheckedSettings defaults(List<Setting> schema) {
    Map<String, String> values = new HashMap<>();
    schema.forEach(setting -> values.put(setting.key(), setting.normalise(setting.defaultValue())));
    return new CheckedSettings(schema, values);
  }

  /**
   * What is in force after a change: a bad value leaves the one of before, a missing one is the
   * default, a key that is none of these settings is not looked at.
   *
   * @param properties by key; values count by their text
   * @param refused hears of each bad value: key, reason, and what stays
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

  /** The same but for one value, which must be good. */
  public CheckedSettings with(Setting setting, String value) {
    Map<String, String> now = new HashMap<>(values);
    now.put(setting.key(), setting.normalise(value));
    return new CheckedSettings(schema, now);
  }

  /** What is in force now and was not before: key to value. */
  public Map<String, String> since(CheckedSettings before) {
    Map<String, String> changed = new TreeMap<>(values);
    changed.entrySet().removeAll(before.values.entrySet());
    return changed;
  }

  /** The value of one of these settings. */
  public String text(Setting setting) {
    return values.get(setting.key());
  }

  /** The value of an INT or BYTES. */
  public long number(Setting setting) {
    return Long.parseLong(text(setting));
  }

  /** The value of a BOOL. */
  public boolean flag(Setting setting) {
    return Boolean.parseBoolean(text(setting));
  }
}
