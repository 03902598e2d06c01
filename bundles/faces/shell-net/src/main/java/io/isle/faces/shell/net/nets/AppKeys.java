package io.isle.faces.shell.net.nets;

import io.isle.api.base.Setting;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Keys of an app that is written on a command line. */
final class AppKeys {
  static final String KIND = "kind=";

  private AppKeys() {}

  /** Keys of every app and of all kinds. */
  static List<String> all(NetAdmin admin) {
    return with(admin, admin.kinds().values().stream().flatMap(List::stream));
  }

  /**
   * Keys of every app and of the kind that the arguments name, by {@code kind=} or by an app; of
   * all kinds if they name none.
   */
  static List<String> of(NetAdmin admin, List<String> arguments) {
    Map<String, List<Setting>> kinds = admin.kinds();
    List<String> named = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith(KIND)) {
        named.add(argument.substring(KIND.length()));
      }
    }
    admin.apps().stream()
        .filter(one -> arguments.contains(one.name()))
        .map(AppInfo::kind)
        .forEach(named::add);
    return named.stream()
        .filter(kinds::containsKey)
        .findFirst()
        .map(kind -> with(admin, kinds.get(kind).stream()))
        .orElseGet(() -> all(admin));
  }

  private static List<String> with(NetAdmin admin, Stream<Setting> own) {
    return Stream.concat(admin.appKeys().stream(), own.map(Setting::key)).distinct().toList();
  }
}
