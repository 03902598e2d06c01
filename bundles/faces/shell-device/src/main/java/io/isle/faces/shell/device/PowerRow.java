package io.isle.faces.shell.device;

import io.isle.api.health.DeviceHealth;
import io.isle.api.health.DevicePower;
import io.isle.api.health.HealthInfo;
import io.isle.api.health.HealthInfo.Counters;
import io.isle.api.health.PowerInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Power, heat and health of a device as a row.
 *
 * @param counters empty where the device keeps none
 */
record PowerRow(PowerInfo power, Optional<Counters> counters) {
  static List<PowerRow> all(Services services) {
    return rows(
        services.with(DevicePower.class, DevicePower::list),
        services.with(DeviceHealth.class, DeviceHealth::list));
  }

  /** One that went in between has no row. */
  private static List<PowerRow> rows(List<PowerInfo> power, List<HealthInfo> health) {
    Map<String, Optional<Counters>> counters =
        health.stream().collect(Collectors.toMap(HealthInfo::device, HealthInfo::counters));
    return power.stream()
        .filter(one -> counters.containsKey(one.device()))
        .map(one -> new PowerRow(one, counters.get(one.device())))
        .toList();
  }

  String device() {
    return power.device();
  }

  /** The fields of one device for {@code device:info}; empty while it is not open. */
  static Optional<Map<String, Object>> object(Services services, String id) {
    List<PowerInfo> power =
        services.ifThere(DevicePower.class, DevicePower::list).orElse(List.of());
    List<HealthInfo> health =
        services.ifThere(DeviceHealth.class, DeviceHealth::list).orElse(List.of());
    return rows(power, health).stream()
        .filter(row -> row.device().equals(id))
        .findFirst()
        .map(
            row -> {
              Map<String, Object> object = table().object(row);
              object.remove("id");
              return object;
            });
  }

  static Table<PowerRow> table() {
    return new Table<PowerRow>("No open devices; see device:list.")
        .column("id", PowerRow::device)
        .column("state", row -> row.power().state())
        .column("level", row -> row.power().performanceLevel())
        .column(
            "temperature_mc",
            "temperature",
            row -> row.power().temperatureMilliCelsius(),
            PowerRow::degrees)
        .column("power_mw", "power", row -> row.power().powerMilliwatts(), PowerRow::watts)
        .column(
            "power_limit_mw", "limit", row -> row.power().powerLimitMilliwatts(), PowerRow::watts)
        .column("clock_mhz", "MHz", row -> row.power().clockMhz(), String::valueOf)
        .column("throttled", row -> row.power().throttled())
        .column("throttle_count", "throttles", of(Counters::throttleCount), Table::plain)
        .column("ecc_correctable", "ecc", of(Counters::eccCorrectable), Table::plain)
        .column("ecc_uncorrectable", "ecc uncorr.", of(Counters::eccUncorrectable), Table::plain)
        .column("pcie_replay_count", "replays", of(Counters::pcieReplayCount), Table::plain)
        .column("error_code", "error", of(Counters::errorCode), Table::plain);
  }

  /** Null where the device keeps no counters. */
  private static Function<PowerRow, Object> of(ToLongFunction<Counters> field) {
    return row -> row.counters().map(counters -> field.applyAsLong(counters)).orElse(null);
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
