package io.isle.faces.shell.device;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.HealthInfo;
import io.isle.api.accel.AccelAdmin.PowerInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Power, heat and health of a device as a row. */
final class PowerRow {
  private PowerRow() {}

  static List<PowerInfo> all(Services services) {
    return services.with(AccelAdmin.class, AccelAdmin::power);
  }

  /** The fields of one device for {@code device:info}; empty while it is not open. */
  static Optional<Map<String, Object>> object(Services services, String id) {
    return services
        .ifThere(AccelAdmin.class, AccelAdmin::power)
        .flatMap(all -> all.stream().filter(power -> power.device().equals(id)).findFirst())
        .map(
            power -> {
              Map<String, Object> object = table().object(power);
              object.remove("id");
              return object;
            });
  }

  static Table<PowerInfo> table() {
    return new Table<PowerInfo>("No device is open.")
        .column("id", PowerInfo::device)
        .column("state", PowerInfo::state)
        .column("level", PowerInfo::performanceLevel)
        .column(
            "temperature_mc", "temperature", PowerInfo::temperatureMilliCelsius, PowerRow::degrees)
        .column("power_mw", "power", PowerInfo::powerMilliwatts, PowerRow::watts)
        .column("power_limit_mw", "limit", PowerInfo::powerLimitMilliwatts, PowerRow::watts)
        .column("clock_mhz", "MHz", PowerInfo::clockMhz, String::valueOf)
        .column("throttled", PowerInfo::throttled)
        .column("throttle_count", "throttles", of(HealthInfo::throttleCount), Table::plain)
        .column("ecc_correctable", "ecc", of(HealthInfo::eccCorrectable), Table::plain)
        .column("ecc_uncorrectable", "ecc bad", of(HealthInfo::eccUncorrectable), Table::plain)
        .column("pcie_replay_count", "replays", of(HealthInfo::pcieReplayCount), Table::plain)
        .column("error_code", "error", of(HealthInfo::errorCode), Table::plain);
  }

  /** Null where the device keeps no counters. */
  private static Function<PowerInfo, Object> of(ToLongFunction<HealthInfo> field) {
    return power -> power.health().map(health -> field.applyAsLong(health)).orElse(null);
  }

  private static String degrees(Object milli) {
    return String.format(Locale.ROOT, "%.1f C", ((Number) milli).doubleValue() / 1000);
  }

  /** Nothing for 0: no limit, or not measured. */
  private static String watts(Object milli) {
    double watts = ((Number) milli).doubleValue() / 1000;
    return watts == 0 ? "-" : String.format(Locale.ROOT, "%.1f W", watts);
  }
}
