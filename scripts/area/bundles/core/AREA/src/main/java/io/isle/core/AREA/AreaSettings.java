package io.isle.core.AREA;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The values of PID {@code io.isle.AREA}, each checked on its own. Immutable. */
final class AreaSettings {
  static final String PID = "io.isle.AREA";

  private static final Setting CAPACITY =
      Setting.integer("capacity", 1, 1000, 16, "most notes that are kept; the oldest are deleted");

  @SettingsSchema(pid = PID)
  static final List<Setting> SCHEMA = List.of(CAPACITY);

  private final CheckedSettings values;

  private AreaSettings(CheckedSettings values) {
    this.values = values;
  }

  static AreaSettings defaults() {
    return new AreaSettings(CheckedSettings.defaults(SCHEMA));
  }

  /**
   * What is in force after a change: a bad value leaves the one of before, a missing one is the
   * default.
   *
   * @param refused hears of each bad value: key and reason
   */
  AreaSettings change(Map<String, ?> properties, Consumer<String> refused) {
    return new AreaSettings(values.change(properties, refused));
  }

  int capacity() {
    return (int) values.number(CAPACITY);
  }
}
