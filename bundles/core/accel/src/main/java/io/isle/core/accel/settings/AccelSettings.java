package io.isle.core.accel.settings;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.driver.DevicePort;
import io.isle.core.accel.fence.FenceSettings;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The values of PID {@code io.isle.accel}, each checked on its own. Immutable. */
public final class AccelSettings {
  public static final String PID = "io.isle.accel";

  private static final Setting MAX_IN_FLIGHT =
      Setting.integer(
          "max_in_flight",
          1,
          DevicePort.MAX_INFLIGHT,
          64,
          "most submissions on one device at a time; further submissions wait in the queues of"
              + " their contexts");
  private static final Setting CONTROL_TIMEOUT_MS =
      Setting.integer(
          "control_timeout_ms",
          100,
          600_000,
          5000,
          "milliseconds that one control call of a driver may take; a longer call fails the"
              + " device");
  private static final Setting HANG_GRACE_MS =
      Setting.integer(
          "hang_grace_ms",
          1,
          600_000,
          250,
          "milliseconds that work over its limit has to stop before its context is reset, then"
              + " before the device is reset, then before the driver is replaced");
  private static final Setting DETACH_GRACE_MS =
      Setting.integer(
          "detach_grace_ms",
          0,
          600_000,
          10_000,
          "milliseconds that contexts wait for the replacement of a driver before the contexts"
              + " are lost");
  private static final Setting CALLBACK_WARN_MS =
      Setting.integer(
          "callback_warn_ms",
          0,
          60_000,
          AccelLimits.DEFAULT.callbackWarnMs(),
          "milliseconds that a listener may block the completion thread before a warning is"
              + " logged, once per context; 0: no warning");
  private static final Setting FENCE_DOMAINS =
      Setting.string(
          "fence_domains",
          "",
          "entries DEVICE=DOMAIN, separated by blanks, domains 0 to 255; submissions of devices"
              + " in different domains cannot wait for each other; devices that are not listed"
              + " are in domain 0");
  private static final Setting HOST_WAIT_MS =
      Setting.integer(
          "host_wait_ms",
          1,
          3_600_000,
          FenceSettings.DEFAULT.hostWaitMs(),
          "milliseconds that a submission waits for a point of a host timeline if the submission"
              + " gives no timeout");

  private static final Setting SCHEDULING =
      Setting.string(
          "scheduling",
          "",
          "entries DEVICE POLICY [DEPTH], separated by commas; POLICY is auto, round_robin,"
              + " priority or guaranteed; DEPTH is the most submissions in flight; devices that"
              + " are not listed use auto");

  @SettingsSchema(pid = PID)
  static final List<Setting> SCHEMA =
      List.of(
          MAX_IN_FLIGHT,
          CONTROL_TIMEOUT_MS,
          HANG_GRACE_MS,
          DETACH_GRACE_MS,
          CALLBACK_WARN_MS,
          SCHEDULING,
          FENCE_DOMAINS,
          HOST_WAIT_MS);

  public static final AccelSettings DEFAULT = new AccelSettings(CheckedSettings.defaults(SCHEMA));

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
  public AccelSettings change(Map<String, ?> properties, Consumer<String> refused) {
    CheckedSettings now = values.change(properties, refused);
    try {
      var ignored = SchedulingChoice.parse(now.text(SCHEDULING), DevicePort.MAX_INFLIGHT);
    } catch (IllegalArgumentException e) {
      String before = values.text(SCHEDULING);
      refused.accept("scheduling: " + e.getMessage() + "; '" + before + "' stays in force");
      now = now.with(SCHEDULING, before);
    }
    try {
      var ignored = FenceSettings.domains(now.text(FENCE_DOMAINS));
    } catch (IllegalArgumentException e) {
      String before = values.text(FENCE_DOMAINS);
      refused.accept("fence_domains: " + e.getMessage() + "; '" + before + "' stays in force");
      now = now.with(FENCE_DOMAINS, before);
    }
    return new AccelSettings(now);
  }

  /** By device. */
  public Map<String, SchedulingChoice> scheduling() {
    return SchedulingChoice.parse(values.text(SCHEDULING), DevicePort.MAX_INFLIGHT);
  }

  public AccelLimits limits() {
    return new AccelLimits(
        (int) values.number(MAX_IN_FLIGHT),
        values.number(CONTROL_TIMEOUT_MS),
        values.number(HANG_GRACE_MS),
        values.number(DETACH_GRACE_MS),
        values.number(CALLBACK_WARN_MS));
  }

  public FenceSettings fences() {
    return new FenceSettings(
        FenceSettings.domains(values.text(FENCE_DOMAINS)), values.number(HOST_WAIT_MS));
  }
}
