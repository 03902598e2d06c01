package io.isle.faces.shell.driver;

import io.isle.api.device.DeviceNode;
import io.isle.api.driver.Drivers;
import io.isle.api.driver.Drivers.DriverStatus;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the driver of one device runs. */
final class RunningDriver {
  private RunningDriver() {}

  static void print(Services services, Output output, DeviceNode node) {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("device", node.id());
    info.put("driver", node.driver());
    info.put("version", told(node.driverVersion()));
    info.put("source", told(source(services, node)));
    info.put("rollback", told(node.rollback()));
    info.put("error", told(node.error()));
    info.put("tier", node.tier());
    info.put("state", node.state().text());
    info.put("epoch", node.epoch());
    info.put("host_pid", node.hostPid().orElse(null));
    info.put("standby_pid", node.standbyPid().orElse(null));
    info.put("interfaces", node.interfaces());
    info.put("sandbox", node.sandbox());
    if (output.json()) {
      output.document(info);
    } else {
      info.forEach((key, value) -> print(output, key, value));
    }
  }

  private static String told(String text) {
    return text.isEmpty() ? null : text;
  }

  /** The bundle whose driver runs, or else the newest that brings one. */
  private static String source(Services services, DeviceNode node) {
    if (!node.driverSource().isEmpty()) {
      return node.driverSource();
    }
    return services.ifThere(Drivers.class, Drivers::list).stream()
        .flatMap(List::stream)
        .filter(driver -> driver.info().name().equals(node.driver()))
        .map(DriverStatus::source)
        .findFirst()
        .orElse("");
  }

  private static void print(Output output, String key, Object value) {
    String title = String.format("%-12s", key.replace('_', ' '));
    switch (value) {
      case null -> output.line(title + "-");
      case List<?> lines when lines.isEmpty() -> output.line(title + "-");
      case List<?> lines -> {
        output.line(key);
        lines.forEach(line -> output.line("  " + line));
      }
      default -> output.line(title + value);
    }
  }
}
