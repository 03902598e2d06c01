package io.isle.net.apps;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Ipv4;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Values of the keys of a kind, each checked on its own. */
final class Values {
  private static final int MOST_SHOWN = 60;

  private final CheckedSettings values;

  private Values(CheckedSettings values) {
    this.values = values;
  }

  /**
   * Checks values and fills defaults in.
   *
   * @throws NetException EINVAL for a key that the kind lacks, and for a bad value
   */
  static Values checked(String kind, List<Setting> schema, Map<String, String> given) {
    for (String key : given.keySet()) {
      if (schema.stream().noneMatch(setting -> setting.key().equals(key))) {
        throw refused("'" + shown(key) + "' is not a key of kind " + kind + "; " + keys(schema));
      }
    }
    return new Values(
        CheckedSettings.defaults(schema)
            .change(
                given,
                why -> {
                  // the value that stays in force is of no interest here
                  throw refused(why.substring(0, why.lastIndexOf("; ")));
                }));
  }

  private static String keys(List<Setting> schema) {
    return schema.isEmpty()
        ? "the kind has no keys of its own"
        : "its keys are " + schema.stream().map(Setting::key).collect(Collectors.joining(", "));
  }

  String text(Setting setting) {
    return values.text(setting);
  }

  long number(Setting setting) {
    return values.number(setting);
  }

  boolean flag(Setting setting) {
    return values.flag(setting);
  }

  /** An IPv4 address; 0 for an empty text. */
  int address(Setting setting) {
    String text = text(setting);
    try {
      return text.isEmpty() ? 0 : Ipv4.parse(text);
    } catch (IllegalArgumentException e) {
      throw refused(setting.key() + ": " + e.getMessage());
    }
  }

  static NetException refused(String why) {
    return new NetException(Errno.EINVAL, why);
  }

  static String shown(String text) {
    String begin = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
    return begin.replaceAll("[^\\x20-\\x7E]", "?");
  }
}
