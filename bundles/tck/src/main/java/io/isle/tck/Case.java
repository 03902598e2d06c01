package io.isle.tck;

import java.util.Map;

/**
 * One rule and how it is tested.
 *
 * @param name area and rule, such as {@code memory/context-limit}
 * @param settings settings that the device needs, where the driver has them
 */
record Case(String name, Map<String, String> settings, Body body) {
  /** Throws {@link Check.Broken} where the rule does not hold. */
  interface Body {
    void run(Rig rig) throws Exception;
  }

  static Case of(String name, Body body) {
    return new Case(name, Map.of(), body);
  }

  static Case withFaults(String name, Body body) {
    return new Case(name, Map.of("fault_injection", "true"), body);
  }
}
