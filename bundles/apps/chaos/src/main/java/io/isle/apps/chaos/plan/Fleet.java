package io.isle.apps.chaos.plan;

import java.util.List;
import java.util.Map;

/**
 * What a run acts on: its devices and the bundles that are restarted. The core comes first in the
 * list, so that a node that is warmed up has done everything since the core's start. What carries
 * the run itself is not among them: chaos, its command, and the socket that the command came by.
 */
public record Fleet(List<Machine> machines, List<Part> parts) {
  private static final Map<String, String> SOFT =
      Map.of("memory_bytes", "16777216", "compute_units", "1", "fault_injection", "true");
  private static final Map<String, String> SIM =
      Map.of("memory_bytes", "16777216", "fault_injection", "true");

  private static final Map<String, String> DISPLAY =
      Map.of(
          "memory_bytes",
          "16777216",
          "compute_units",
          "1",
          "fault_injection",
          "true",
          "screens",
          "hdmi:svga");

  /**
   * Three software devices, one of them in the platform's process, a simulated one, and one with a
   * screen.
   */
  public static final Fleet STANDARD =
      new Fleet(
          List.of(
              new Machine("soft0", "soft", 2, true, SOFT),
              new Machine("soft1", "soft", 2, true, SOFT),
              new Machine("soft2", "soft", 1, false, SOFT),
              new Machine("sim0", "sim", 1, false, SIM),
              new Machine("display0", "display", 2, true, DISPLAY)),
          List.of(
              new Part("io.isle.core.observe", 1, false),
              new Part("io.isle.core.tenancy", 1, false),
              new Part("io.isle.core.devices", 1, false),
              new Part("io.isle.core.agents", 1, false),
              new Part("io.isle.core.accel", 1, false),
              new Part("io.isle.core.drivers", 2, false),
              new Part("io.isle.core.health", 1, true),
              new Part("io.isle.core.display", 1, false),
              new Part("io.isle.apps.jobs", 2, true),
              new Part("io.isle.faces.shell.device", 1, true),
              new Part("io.isle.faces.shell.display", 1, true),
              new Part("io.isle.faces.shell.driver", 1, true),
              new Part("io.isle.faces.shell.accel", 1, true),
              new Part("io.isle.faces.shell.agents", 1, true),
              new Part("io.isle.faces.shell.group", 1, true),
              new Part("io.isle.faces.shell.job", 1, true),
              new Part("io.isle.faces.shell.observe", 1, true),
              new Part("io.isle.faces.deploy", 1, true),
              new Part("io.isle.drivers.soft", 3, true),
              new Part("io.isle.drivers.sim", 3, true),
              new Part("io.isle.drivers.opencl", 1, true),
              new Part("io.isle.drivers.display", 3, true)));

  public Fleet {
    machines = List.copyOf(machines);
    parts = List.copyOf(parts);
  }
}
