package io.isle.spin.nic.settings;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.spin.SpinException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Values of a file, each checked on its own. */
final class Values {
  private static final int MOST_SHOWN = 60;

  private final CheckedSettings values;

  /**
   * @throws SpinException EINVAL for a key that the schema lacks, and for a bad value
   */
  Values(List<Setting> schema, Map<String, String> given) {
    for (String key : given.keySet()) {
      if (schema.stream().noneMatch(setting -> setting.key().equals(key))) {
        throw refused(
            "'"
                + shown(key)
                + "' is not a key; the keys are "
                + schema.stream().map(Setting::key).collect(Collectors.joining(", ")));
      }
    }
    values =
        CheckedSettings.defaults(schema)
            .change(
                given,
                why -> {
                  throw refused(why.substring(0, why.lastIndexOf("; ")));
                });
  }

  String text(Setting setting) {
    return values.text(setting);
  }

  int number(Setting setting) {
    return (int) values.number(setting);
  }

  static String shown(String text) {
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
  }

  static SpinException refused(String why) {
    return new SpinException(Errno.EINVAL, why);
  }
}
