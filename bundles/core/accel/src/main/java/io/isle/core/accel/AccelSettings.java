package io.isle.core.accel;

import io.isle.api.driver.CheckedSettings;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.Setting;
import io.isle.lib.agent.AgentHost;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The values of PID {@code io.isle.accel}, each checked on its own. Immutable. */
final class AccelSettings {
  static final String PID = "io.isle.accel";

  private static final Setting MAX_IN_FLIGHT =
      Setting.integer(
          "max_in_flight",
          1,
          DevicePort.MAX_INFLIGHT,
          64,
          "submissions on one device at a time; the others wait in their contexts' queues");
  private static final Setting CONTROL_TIMEOUT_MS =
      Setting.integer(
          "control_timeout_ms",
          100,
          600_000,
          5000,
          "milliseconds that one control call of a driver may take; a longer one fails the device");
  private static final Setting HANG_GRACE_MS =
      Setting.integer(
          "hang_grace_ms",
          1,
          600_000,
          250,
          "milliseconds until work that was told to leave the engine has left it; then its context is"
              + " reset, as long after that the device, then the driver is replaced");
  private static final Setting DETACH_GRACE_MS =
      Setting.integer(
          "detach_grace_ms",
          0,
          600_000,
          10_000,
          "milliseconds that contexts wait for a driver that is being replaced; then they are lost");
  private static final Setting SPINNERS =
      Setting.integer(
          "spinners", -1, 1024, -1, "agents that may spin at a time; -1: half of the processors");

  static final List<Setting> SCHEMA =
      List.of(MAX_IN_FLIGHT, CONTROL_TIMEOUT_MS, HANG_GRACE_MS, DETACH_GRACE_MS, SPINNERS);
  static final AccelSettings DEFAULT = new AccelSettings(CheckedSettings.defaults(SCHEMA));

  private final CheckedSettings values;

  private AccelSettings(CheckedSettings values) {
    this.values = values;
  }

  /**
   * What is in force after a change: a bad value leaves the one of before, a missing one is the
   * default.
   *
   * @param refused hears of each bad value: key and reason
   */
  AccelSettings change(Map<String, ?> properties, Consumer<String> refused) {
    return new AccelSettings(values.change(properties, refused));
  }

  AccelLimits limits() {
    return new AccelLimits(
        (int) values.number(MAX_IN_FLIGHT),
        values.number(CONTROL_TIMEOUT_MS),
        values.number(HANG_GRACE_MS),
        values.number(DETACH_GRACE_MS));
  }

  /** Agents that may spin at a time. */
  int spinners() {
    int given = (int) values.number(SPINNERS);
    return given < 0 ? AgentHost.spinnersFor(Runtime.getRuntime().availableProcessors()) : given;
  }
}
