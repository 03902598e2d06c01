package io.isle.core.devices;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceRegistry.Running;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the snapshots of devices that users see. Pure functions. */
final class Nodes {
  private static final int MAX_TEXT = 500;

  private Nodes() {}

  /**
   * The snapshot of a device.
   *
   * @param version of the driver, empty if it never said one
   * @param bound the driver is there
   */
  static DeviceNode node(Device device, String version, boolean bound, Optional<String> parent) {
    List<String> errors = new ArrayList<>();
    DeviceState state = state(device, bound, errors);
    if (!device.refusal.isEmpty()) {
      errors.add(
          device.applied.isPresent()
              ? device.refusal + " (the last good settings stay in force)"
              : device.refusal);
    }
    Optional<DeviceReport> report = device.report;
    return new DeviceNode(
        device.id(),
        device.name.driver(),
        device.running().map(Running::version).map(Nodes::clean).orElse(version),
        tier(device),
        state,
        clean(String.join("; ", errors)),
        deviceClass(device),
        parent,
        device.epoch,
        report.flatMap(DeviceReport::hostPid),
        report.flatMap(DeviceReport::standbyPid),
        properties(device),
        report.map(DeviceReport::services).orElse(List.of()),
        report.map(DeviceReport::interfaces).orElse(List.of()),
        report.map(DeviceReport::sandbox).orElse(List.of()),
        device.running().map(Running::source).orElse(""),
        device.running().map(Running::rollback).map(Nodes::clean).orElse(""),
        device
            .running()
            .map(Running::isolation)
            .orElseGet(() -> SettingsCheck.isolation(device.raw())),
        device.running().map(Running::hosts).orElse(List.of()));
  }

  private static DeviceState state(Device device, boolean bound, List<String> errors) {
    boolean enabled =
        device
            .applied
            .map(DeviceSpec::enabled)
            .orElseGet(() -> SettingsCheck.enabled(device.raw()));
    if (!bound) {
      errors.add(
          "no driver "
              + device.name.driver()
              + "; see driver:list for installed and refused drivers");
      return enabled ? DeviceState.FAILED : DeviceState.DISABLED;
    }
    if (device.applied.isEmpty()) {
      return DeviceState.FAILED;
    }
    if (!device.failure.isEmpty()) {
      errors.add(device.failure);
      return DeviceState.FAILED;
    }
    if (!enabled) {
      return DeviceState.DISABLED;
    }
    if (device.report.isEmpty()) {
      errors.add("the device is being opened");
      return DeviceState.RECOVERING;
    }
    DeviceReport report = device.report.get();
    if (!report.error().isEmpty()) {
      errors.add(report.error());
    } else if (report.state() == DeviceState.FAILED) {
      errors.add("the driver gave no reason; see the log");
    }
    return report.state();
  }

  private static int tier(Device device) {
    return device
        .inForce()
        .map(DeviceSpec::tier)
        .or(() -> SettingsCheck.tier(device.raw()))
        .orElse(2);
  }

  private static DeviceClass deviceClass(Device device) {
    return device
        .info
        .map(DeviceInfo::deviceClass)
        .or(() -> device.applied.map(spec -> spec.settings().get("class")).flatMap(Nodes::named))
        .orElse(DeviceClass.OTHER);
  }

  /** Of a device that was not open yet: what its setting says, if it has one. */
  private static Optional<DeviceClass> named(String text) {
    return Stream.of(DeviceClass.values()).filter(known -> known.text().equals(text)).findFirst();
  }

  private static Map<String, String> properties(Device device) {
    Map<String, String> all = new LinkedHashMap<>();
    device.info.ifPresent(
        info -> {
          all.put("device-class", info.deviceClass().text());
          all.put("compute-units", Integer.toString(info.computeUnits()));
          all.put("local-memory-bytes", Long.toString(info.localMemoryBytes()));
          all.put("p2p-capable", Boolean.toString(info.p2pCapable()));
          all.put("preemption", info.preemption().name().toLowerCase(Locale.ROOT));
          all.put("max-contexts", Integer.toString(info.maxContexts()));
          all.put("max-cmd-buffer-size", Integer.toString(info.maxCommandBytes()));
          all.put("memory-types", "0x" + Integer.toHexString(info.memoryTypes()));
          all.put("pcie-atomics", Boolean.toString(info.pcieAtomics()));
          all.put("unified-addressing", Boolean.toString(info.unifiedAddressing()));
          all.put("hw-page-faults", Boolean.toString(info.hwPageFaults()));
        });
    all.put("probed", Boolean.toString(device.seed.isPresent()));
    device.seed.ifPresent(
        seed -> {
          all.put("seed", clean(seed.name()));
          all.put("summary", clean(seed.summary()));
        });
    return all;
  }

  /** Text of a driver, which may be hostile, made safe to show. */
  static String clean(String text) {
    String clean = text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]+", " ").strip();
    return clean.length() > MAX_TEXT ? clean.substring(0, MAX_TEXT) + "..." : clean;
  }
}
