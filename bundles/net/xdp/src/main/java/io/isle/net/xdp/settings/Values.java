package io.isle.net.xdp.settings;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Ipv4;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Values of a file, each checked on its own. */
final class Values {
  private static final int MOST_SHOWN = 60;

  private final CheckedSettings values;

  /**
   * @param what such as {@code a net}
   * @throws NetException EINVAL for a key that the schema lacks, and for a bad value
   */
  Values(List<Setting> schema, Map<String, String> given, String what) {
    for (String key : given.keySet()) {
      if (schema.stream().noneMatch(setting -> setting.key().equals(key))) {
        throw refused(
            "'"
                + shown(key)
                + "' is not a key of "
                + what
                + "; the keys are "
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

  boolean flag(Setting setting) {
    return values.flag(setting);
  }

  int powerOfTwo(Setting setting) {
    int value = number(setting);
    if (Integer.bitCount(value) != 1) {
      throw refused(setting.key() + ": " + value + " is no power of two");
    }
    return value;
  }

  List<String> list(Setting setting) {
    return Arrays.stream(text(setting).split("[,\\s]+"))
        .filter(part -> !part.isEmpty())
        .distinct()
        .toList();
  }

  List<Integer> ports(Setting setting) {
    List<Integer> ports = new ArrayList<>();
    for (String part : list(setting)) {
      int port = part.matches("[0-9]{1,5}") ? Integer.parseInt(part) : 0;
      if (port < 1 || port > 65535) {
        throw refused(setting.key() + ": '" + shown(part) + "' is not in 1..65535");
      }
      if (!ports.contains(port)) {
        ports.add(port);
      }
    }
    return ports;
  }

  /** Empty for an empty value. */
  OptionalInt address(Setting setting) {
    String text = text(setting);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Ipv4.parse(text));
    } catch (IllegalArgumentException e) {
      throw new NetException(Errno.EINVAL, setting.key() + ": " + e.getMessage(), e);
    }
  }

  static String shown(String text) {
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
  }

  static NetException refused(String why) {
    return new NetException(Errno.EINVAL, why);
  }
}
