package io.isle.itests;

import io.isle.api.base.Setting;
import io.isle.api.tenancy.GroupKey;
import io.isle.core.accel.group.AccelGroupKeys;
import java.util.List;
import java.util.Map;

/** A page of all settings, from what services and drivers publish. */
final class SettingsPage {
  private static final String INTRODUCTION =
      """
      # Settings

      Written by `scripts/reference` from the code; a test compares them. Files lie in `etc/` of an instance; a change applies at once. A value
      that is not allowed is refused and logged, and the last good value stays in force. Sizes are written
      `4096`, `32m`, `32MiB` or `32 MiB`, with k, m, g or t in upper or lower case (powers of 1024).
      """;
  private static final String DEVICES =
      """

      # Settings of devices

      Each device has a file `io.isle.device-ID.cfg`, where ID is the driver's name and a number. All devices have these four keys:

      | key | values | default | |
      |---|---|---|---|
      | `driver` | name of a driver | from the file's name | driver of the device |
      | `tier` | 1, 2 | 2; of a driver in Java 1 | 1: in the platform's process; 2: in a separate process |
      | `isolation` | auto, shared, group | auto | contexts that share a driver process in tier 2: as the driver advises, all contexts, or the contexts of one group of tenants |
      | `enabled` | true, false | true | false keeps the device closed, also over restarts |
      """;

  private static final String KINDS =
      """

      # Settings of kinds of apps

      An app of a net has the keys of its kind in its file `io.isle.netapp-NAME.cfg`, too. See [kinds of apps](../net-apps.md).
      """;

  private static final String GROUPS =
      """

      # Settings of groups

      Each group has a file `io.isle.group-NAME.cfg`, where NAME has up to 32 characters of a-z, 0-9 and '-'; `default` is the root group. See [groups](../groups.md).
      A group inherits the keys that its file leaves out; the default applies if no group above has the key.

      | key | values | default | |
      |---|---|---|---|
      | `parent` | name of a group | default | parent group; `default` has no parent |
      """;

  private SettingsPage() {}

  static String text() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    ShippedSettings.services().forEach((pid, settings) -> table(page, pid + ".cfg", settings));
    page.append(DEVICES);
    for (Map.Entry<String, List<Setting>> driver : ShippedSettings.drivers().entrySet()) {
      table(page, "Driver " + driver.getKey(), driver.getValue());
    }
    page.append(KINDS);
    ShippedSettings.kinds()
        .forEach(
            (kind, settings) -> {
              if (settings.isEmpty()) {
                page.append("\n## Kind ").append(kind).append("\n\nThe kind has no keys.\n");
              } else {
                table(page, "Kind " + kind, settings);
              }
            });
    page.append(GROUPS);
    for (GroupKey key : AccelGroupKeys.KEYS) {
      String value = key.defaultValue().isEmpty() ? "none" : key.defaultValue();
      row(page, key.key(), key.values(), value, key.help());
    }
    return page.toString();
  }

  private static void row(
      StringBuilder page, String key, String values, String defaultValue, String help) {
    page.append("| `").append(key).append("` | ").append(values.replace("|", "\\|"));
    page.append(" | ").append(defaultValue);
    page.append(" | ").append(help.replace("|", "\\|")).append(" |\n");
  }

  private static void table(StringBuilder page, String title, List<Setting> settings) {
    page.append("\n## ").append(title).append("\n\n");
    page.append("| key | values | default | |\n|---|---|---|---|\n");
    for (Setting setting : settings) {
      String value = shown(setting, setting.defaultValue());
      row(page, setting.key(), values(setting), value, setting.help());
    }
  }

  private static String values(Setting setting) {
    return switch (setting.type()) {
      case INT, BYTES ->
          shown(setting, Long.toString(setting.min()))
              + " to "
              + shown(setting, Long.toString(setting.max()));
      case BOOL -> "true, false";
      case ENUM -> String.join(", ", setting.choices());
      case STRING -> "text";
    };
  }

  /** Sizes in the largest unit that fits; nothing for an empty text. */
  private static String shown(Setting setting, String value) {
    if (setting.type() != Setting.Type.BYTES) {
      return value.isEmpty() ? "none" : value;
    }
    long bytes = Long.parseLong(setting.normalise(value));
    if (bytes == Long.MAX_VALUE) {
      return "any";
    }
    String units = "kmg";
    int unit = 0;
    while (unit < units.length() && bytes > 0 && bytes % 1024 == 0) {
      bytes /= 1024;
      unit++;
    }
    return unit == 0 ? Long.toString(bytes) : bytes + units.substring(unit - 1, unit);
  }
}
