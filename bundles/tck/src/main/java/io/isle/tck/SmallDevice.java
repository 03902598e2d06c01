package io.isle.tck;

import io.isle.api.base.Setting;
import io.isle.api.driver.DriverInfo;
import java.util.HashMap;
import java.util.Map;

/** Settings with which the cases open devices. */
final class SmallDevice {
  private SmallDevice() {}

  /** Small devices make quick cases; a key that the driver does not have is left out. */
  static Map<String, String> settings(DriverInfo info, Map<String, String> wanted) {
    Map<String, String> small = new HashMap<>();
    small.put("memory_bytes", "16777216");
    small.put("compute_units", "2");
    small.put("max_contexts", "8");
    small.putAll(wanted);
    Map<String, String> values = new HashMap<>();
    for (Setting setting : info.settings()) {
      String value = small.getOrDefault(setting.key(), setting.defaultValue());
      values.put(
          setting.key(),
          setting.normalise(setting.refusal(value).isEmpty() ? value : setting.defaultValue()));
    }
    return values;
  }
}
