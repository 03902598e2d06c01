package io.isle.core.drivers;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.recovery.Supervision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The values of PID {@code io.isle.drivers}, each checked on its own. Immutable. */
final class DriversSettings {
  private static final Setting NATIVE_DIR =
      Setting.string(
          "native_dir",
          "lib/isle/bin",
          "folder of driver-host and libisle_shim.so; relative to the installation");
  private static final Setting SPIN_US =
      Setting.integer(
          "spin_us",
          0,
          10_000,
          50,
          "microseconds that an idle driver host spins for work before the host sleeps");
  private static final Setting HOST_MEMORY =
      Setting.bytes(
          "host_memory_bytes",
          0,
          Long.MAX_VALUE,
          4L << 30,
          "most private memory of a driver host; 0: no limit");
  private static final Setting HOST_DEBUG =
      Setting.bool("host_debug", false, "whether a debugger may attach to driver hosts");
  private static final Setting STANDBY =
      Setting.bool("standby", true, "whether each device in tier 2 has a warm standby");
  private static final Setting SIGNATURES =
      Setting.choice(
          "signatures",
          List.of("off", "required"),
          "off",
          "whether native drivers must be signed by a key of etc/driver-keys");
  private static final Setting DRAIN_MS =
      Setting.integer(
          "drain_ms",
          0,
          600_000,
          2000,
          "milliseconds that running work may take to end when a device is reloaded or suspended;"
              + " then the work is interrupted");
  private static final Setting HANG_MS =
      Setting.integer(
          "hang_ms",
          50,
          600_000,
          1000,
          "milliseconds that a driver host may make no progress before the host is replaced");
  private static final Setting PARTICIPANT_MS =
      Setting.integer(
          "participant_ms",
          10,
          60_000,
          1000,
          "milliseconds that a subsystem may take for a phase of a recovery; then the recovery"
              + " continues without the subsystem");
  private static final Setting ATTEMPTS =
      Setting.integer(
          "recovery_attempts",
          1,
          1000,
          5,
          "failed attempts in a row to open a device before the device is FAILED");
  private static final Setting BACKOFF_MS =
      Setting.integer(
          "backoff_ms",
          1,
          60_000,
          50,
          "longest pause in milliseconds after the first failed attempt to open a device; doubles"
              + " with each attempt");
  private static final Setting BACKOFF_MAX_MS =
      Setting.integer(
          "backoff_max_ms",
          1,
          600_000,
          5000,
          "longest pause in milliseconds between attempts to open a device");
  private static final Setting BREACHES =
      Setting.integer(
          "protocol_breaches",
          1,
          1000,
          3,
          "breaches of the driver protocol within the window before a device is QUARANTINED");
  private static final Setting WINDOW_S =
      Setting.integer(
          "protocol_window_s",
          1,
          604_800,
          3600,
          "length of the window in seconds in which breaches count");

  @SettingsSchema(pid = "io.isle.drivers")
  static final List<Setting> SCHEMA =
      List.of(
          NATIVE_DIR,
          SPIN_US,
          HOST_MEMORY,
          HOST_DEBUG,
          STANDBY,
          SIGNATURES,
          DRAIN_MS,
          HANG_MS,
          PARTICIPANT_MS,
          ATTEMPTS,
          BACKOFF_MS,
          BACKOFF_MAX_MS,
          BREACHES,
          WINDOW_S);

  private final CheckedSettings values;

  private DriversSettings(CheckedSettings values) {
    this.values = values;
  }

  /** Defaults. */
  static DriversSettings defaults() {
    return new DriversSettings(CheckedSettings.defaults(SCHEMA));
  }

  /**
   * What is in force at first. There is no last good value of {@code signatures} then: a bad one
   * asks for something, so that drivers must be signed.
   *
   * @param refused hears of each bad value: key and reason
   */
  static DriversSettings initial(Map<String, ?> properties, Consumer<String> refused) {
    CheckedSettings strict = defaults().values.with(SIGNATURES, "required");
    return new DriversSettings(strict).change(properties, refused);
  }

  /**
   * What is in force after a change: a bad value leaves the one of before, a missing one is the
   * default.
   *
   * @param refused hears of each bad value: key and reason
   */
  DriversSettings change(Map<String, ?> properties, Consumer<String> refused) {
    return new DriversSettings(values.change(properties, refused));
  }

  /** What is in force now and was not before: key to value. */
  Map<String, String> since(DriversSettings before) {
    return values.since(before.values);
  }

  /**
   * Where native pieces are and how hosts behave: a change of it reopens native drivers.
   *
   * @param base what a relative folder is relative to
   */
  NativeRuntime runtime(Path base) {
    return new NativeRuntime(
        base.resolve(values.text(NATIVE_DIR)).toAbsolutePath(),
        (int) values.number(SPIN_US),
        new Sandbox(Sandbox.Profile.COMPUTE, values.number(HOST_MEMORY), values.flag(HOST_DEBUG)));
  }

  /** Whether native drivers must be signed. */
  boolean signaturesRequired() {
    return values.text(SIGNATURES).equals("required");
  }

  /** What is taken live. */
  DriverTuning tuning() {
    return new DriverTuning(
        values.flag(STANDBY),
        Duration.ofMillis(values.number(DRAIN_MS)),
        Duration.ofMillis(values.number(HANG_MS)),
        Duration.ofMillis(values.number(PARTICIPANT_MS)),
        new Supervision.Limits(
            (int) values.number(ATTEMPTS),
            Duration.ofMillis(values.number(BACKOFF_MS)),
            Duration.ofMillis(values.number(BACKOFF_MAX_MS)),
            (int) values.number(BREACHES),
            Duration.ofSeconds(values.number(WINDOW_S))));
  }
}
