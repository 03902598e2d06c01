package io.isle.fabric.impair;

import java.util.HashMap;
import java.util.Map;

/** Settings of relays for tests. */
final class Given {
  private Given() {}

  static ImpairSettings udp(String... keysAndValues) {
    return ImpairSettings.of(map("udp", 9990, 9991, keysAndValues));
  }

  static ImpairSettings tcp(String... keysAndValues) {
    return ImpairSettings.of(map("tcp", 9990, 9991, keysAndValues));
  }

  static Map<String, String> map(String transport, int listen, int to, String... keysAndValues) {
    Map<String, String> given = new HashMap<>();
    given.put("fault_injection", "true");
    given.put("listen", transport + "://127.0.0.1:" + listen);
    given.put("to", transport + "://127.0.0.1:" + to);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      given.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return given;
  }
}
