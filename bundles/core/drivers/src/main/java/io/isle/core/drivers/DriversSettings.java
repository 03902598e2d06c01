package io.isle.core.drivers;

import io.isle.api.driver.Setting;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The values of PID {@code io.isle.drivers}, each checked on its own. Immutable. */
final class DriversSettings {
  private static final Setting NATIVE_DIR =
      Setting.string("native_dir", "lib/isle/bin", "folder of driver-host and libisle_shim.so");
  private static final Setting SPIN_US =
      Setting.integer("spin_us", 0, 10_000, 50, "how long a host spins before it sleeps");
  private static final Setting HOST_MEMORY =
      Setting.bytes(
          "host_memory_bytes",
          0,
          Long.MAX_VALUE,
          4L << 30,
          "most private memory of a host; 0: any");
  private static final Setting HOST_DEBUG =
      Setting.bool("host_debug", false, "whether a debugger may attach to hosts");
  private static final Setting STANDBY =
      Setting.bool("standby", true, "whether each device in tier 2 has a warm standby");
  private static final Setting SIGNATURES =
      Setting.choice(
          "signatures", List.of("off", "required"), "off", "whether native drivers must be signed");
  private static final Setting DRAIN_MS =
      Setting.integer("drain_ms", 0, 600_000, 2000, "how long running work may take to end");
  private static final Setting HANG_MS =
      Setting.integer("hang_ms", 50, 600_000, 1000, "how long a host may stand still");
  private static final Setting ATTEMPTS =
      Setting.integer("recovery_attempts", 1, 1000, 5, "failed attempts in a row before FAILED");
  private static final Setting BACKOFF_MS =
      Setting.integer("backoff_ms", 1, 60_000, 50, "longest delay after the first failed attempt");
  private static final Setting BACKOFF_MAX_MS =
      Setting.integer("backoff_max_ms", 1, 600_000, 5000, "longest delay between attempts");
  private static final Setting BREACHES =
      Setting.integer("protocol_breaches", 1, 1000, 3, "breaches in the window before QUARANTINED");
  private static final Setting WINDOW_S =
      Setting.integer("protocol_window_s", 1, 604_800, 3600, "window in which they count");
  private static final List<Setting> ALL =
      List.of(
          NATIVE_DIR,
          SPIN_US,
          HOST_MEMORY,
          HOST_DEBUG,
          STANDBY,
          SIGNATURES,
          DRAIN_MS,
          HANG_MS,
          ATTEMPTS,
          BACKOFF_MS,
          BACKOFF_MAX_MS,
          BREACHES,
          WINDOW_S);

  private final Map<String, String> values;

  private DriversSettings(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /** Defaults. */
  static DriversSettings defaults() {
    Map<String, String> values = new HashMap<>();
    ALL.forEach(setting -> values.put(setting.key(), setting.normalise(setting.defaultValue())));
    return new DriversSettings(values);
  }

  /**
   * What is in force at first. There is no last good value of {@code signatures} then: a bad one
   * asks for something, so that drivers must be signed.
   *
   * @param refused hears of each bad value: key and reason
   */
  static DriversSettings initial(Map<String, ?> properties, Consumer<String> refused) {
    Map<String, String> strict = new HashMap<>(defaults().values);
    strict.put(SIGNATURES.key(), "required");
    return new DriversSettings(strict).change(properties, refused);
  }

  /**
   * What is in force after a change: a bad value leaves the one of before, a missing one is the
   * default.
   *
   * @param refused hears of each bad value: key and reason
   */
  DriversSettings change(Map<String, ?> properties, Consumer<String> refused) {
    Map<String, String> now = new HashMap<>(defaults().values);
    for (Setting setting : ALL) {
      Object given = properties.get(setting.key());
      if (given == null) {
        continue;
      }
      String text = given.toString().strip();
      setting
          .refusal(text)
          .ifPresentOrElse(
              why -> {
                now.put(setting.key(), values.get(setting.key()));
                refused.accept(why + "; " + values.get(setting.key()) + " stays in force");
              },
              () -> now.put(setting.key(), setting.normalise(text)));
    }
    return new DriversSettings(now);
  }

  /** What is in force now and was not before: key to value. */
  Map<String, String> since(DriversSettings before) {
    Map<String, String> changed = new TreeMap<>(values);
    changed.entrySet().removeAll(before.values.entrySet());
    return changed;
  }

  /**
   * Where native pieces are and how hosts behave: a change of it reopens native drivers.
   *
   * @param base what a relative folder is relative to
   */
  NativeRuntime runtime(Path base) {
    return new NativeRuntime(
        base.resolve(values.get(NATIVE_DIR.key())).toAbsolutePath(),
        (int) number(SPIN_US),
        new Sandbox(Sandbox.Profile.COMPUTE, number(HOST_MEMORY), flag(HOST_DEBUG)));
  }

  /** Whether native drivers must be signed. */
  boolean signaturesRequired() {
    return values.get(SIGNATURES.key()).equals("required");
  }

  /** What is taken live. */
  DriverTuning tuning() {
    return new DriverTuning(
        flag(STANDBY),
        Duration.ofMillis(number(DRAIN_MS)),
        Duration.ofMillis(number(HANG_MS)),
        new Supervision.Limits(
            (int) number(ATTEMPTS),
            Duration.ofMillis(number(BACKOFF_MS)),
            Duration.ofMillis(number(BACKOFF_MAX_MS)),
            (int) number(BREACHES),
            Duration.ofSeconds(number(WINDOW_S))));
  }

  private long number(Setting setting) {
    return Long.parseLong(values.get(setting.key()));
  }

  private boolean flag(Setting setting) {
    return Boolean.parseBoolean(values.get(setting.key()));
  }
}
