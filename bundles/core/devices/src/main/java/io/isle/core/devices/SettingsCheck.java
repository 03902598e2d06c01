package io.isle.core.devices;

import io.isle.api.base.Setting;
import io.isle.api.device.Isolation;
import io.isle.api.driver.DriverInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks what a device's file says against the schema of its driver. Pure functions. */
final class SettingsCheck {
  static final String DRIVER = "driver";
  static final String TIER = "tier";
  static final String ENABLED = "enabled";
  static final String ISOLATION = "isolation";
  private static final List<String> OURS = List.of(DRIVER, TIER, ENABLED, ISOLATION);

  private SettingsCheck() {}

  /**
   * Result of a check.
   *
   * @param desired present if all is well
   * @param refusal key and reason; empty if all is well
   */
  record Result(Optional<DesiredSettings> desired, String refusal) {
    static Result refused(String why) {
      return new Result(Optional.empty(), why);
    }

    Optional<String> asRefusal() {
      return desired.isPresent() ? Optional.empty() : Optional.of(refusal);
    }
  }

  /** Checks all keys of {@code raw} for a device of {@code driver}. */
  static Result check(DriverInfo driver, Map<String, String> raw) {
    Optional<String> common = common(driver.name(), raw);
    if (common.isPresent()) {
      return Result.refused(common.get());
    }
    int tier = tier(raw).orElse(driver.nativeCode() ? 2 : 1);
    if (tier == 2 && !driver.nativeCode()) {
      return Result.refused(
          "tier: '2' is refused, because the Java driver "
              + driver.name()
              + " runs in the platform's process; remove the key or set tier=1");
    }
    if (isolation(raw) == Isolation.GROUP && tier == 1) {
      return Result.refused(
          "isolation: 'group' needs driver processes, which tier 1 does not have; "
              + (driver.nativeCode() ? "set tier=2 or " : "")
              + "set isolation=auto");
    }
    Map<String, Setting> schema = schema(driver);
    for (String key : raw.keySet()) {
      if (!OURS.contains(key) && !schema.containsKey(key)) {
        return Result.refused(unknown(driver.name(), key, schema.keySet()));
      }
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (Setting setting : schema.values()) {
      String value = raw.getOrDefault(setting.key(), setting.defaultValue());
      Optional<String> refusal = setting.refusal(value);
      if (refusal.isPresent()) {
        return Result.refused(refusal.get());
      }
      settings.put(setting.key(), setting.normalise(value));
    }
    return new Result(
        Optional.of(new DesiredSettings(tier, enabled(raw), isolation(raw), settings)), "");
  }

  /** Checks the keys that every device has; empty if they are good. */
  static Optional<String> common(String driver, Map<String, String> raw) {
    String named = raw.getOrDefault(DRIVER, driver);
    if (!named.equals(driver)) {
      return Optional.of(
          "driver: '"
              + shown(named)
              + "' does not match the device id, which is the driver's name and a number; for"
              + " this file the driver is "
              + driver);
    }
    String tier = raw.get(TIER);
    if (tier != null && !tier.equals("1") && !tier.equals("2")) {
      return Optional.of(
          "tier: '"
              + shown(tier)
              + "' is neither 1 (the platform's process) nor 2 (a separate"
              + " process)");
    }
    String enabled = raw.get(ENABLED);
    if (enabled != null && !enabled.equals("true") && !enabled.equals("false")) {
      return Optional.of("enabled: '" + shown(enabled) + "' is not true or false");
    }
    String isolation = raw.get(ISOLATION);
    if (isolation != null && Isolation.of(isolation).isEmpty()) {
      return Optional.of("isolation: '" + shown(isolation) + "' is not auto, shared or group");
    }
    return Optional.empty();
  }

  static Optional<Integer> tier(Map<String, String> raw) {
    String tier = raw.get(TIER);
    return "1".equals(tier) ? Optional.of(1) : "2".equals(tier) ? Optional.of(2) : Optional.empty();
  }

  static Isolation isolation(Map<String, String> raw) {
    return Optional.ofNullable(raw.get(ISOLATION)).flatMap(Isolation::of).orElse(Isolation.AUTO);
  }

  static boolean enabled(Map<String, String> raw) {
    return !"false".equals(raw.get(ENABLED));
  }

  static boolean isOurs(String key) {
    return OURS.contains(key);
  }

  /** What is wrong with a driver's description of itself; empty if nothing is. */
  static Optional<String> badDriver(DriverInfo driver) {
    if (!DeviceName.isDriverName(driver.name())) {
      return Optional.of("driver name '" + shown(driver.name()) + "' is not [a-z][a-z0-9]{0,15}");
    }
    Optional<DeviceName> other = DeviceName.parse(driver.name() + "0");
    if (other.isPresent() && !other.get().driver().equals(driver.name())) {
      return Optional.of(
          "driver name '"
              + driver.name()
              + "' ends with a digit: its device 0 would be "
              + driver.name()
              + "0, which is device "
              + other.get().number()
              + " of "
              + other.get().driver());
    }
    Set<String> seen = new HashSet<>(OURS);
    List<String> bad = new ArrayList<>();
    for (Setting setting : driver.settings()) {
      if (!setting.key().matches("[a-z][a-z0-9_]{0,62}")) {
        bad.add("key '" + shown(setting.key()) + "' is not [a-z][a-z0-9_]*");
      } else if (!seen.add(setting.key())) {
        bad.add("key " + setting.key() + " is reserved or given twice");
      } else {
        setting.refusal(setting.defaultValue()).ifPresent(why -> bad.add("default of " + why));
      }
    }
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of("settings of driver " + driver.name() + ": " + String.join("; ", bad));
  }

  private static Map<String, Setting> schema(DriverInfo driver) {
    Map<String, Setting> schema = new LinkedHashMap<>();
    driver.settings().forEach(setting -> schema.put(setting.key(), setting));
    return schema;
  }

  private static String unknown(String driver, String key, Set<String> known) {
    return shown(key)
        + ": not a setting of driver "
        + driver
        + "; the settings are "
        + String.join(", ", OURS)
        + (known.isEmpty() ? "" : ", " + String.join(", ", known));
  }

  private static String shown(String value) {
    String clean = value.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    return clean.length() > 60 ? clean.substring(0, 60) + "..." : clean;
  }
}
