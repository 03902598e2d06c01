package io.isle.apps.chaos.plan;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What a run acts on: its devices and the bundles that are restarted, in the order in which the
 * warm-up takes them.
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
  private static final List<Machine> MACHINES =
      List.of(
          new Machine("soft0", "soft", 2, true, SOFT),
          new Machine("soft1", "soft", 2, true, SOFT),
          new Machine("soft2", "soft", 1, false, SOFT),
          new Machine("sim0", "sim", 1, false, SIM),
          new Machine("display0", "display", 2, true, DISPLAY));

  /** The devices of every run, with bundles of a node: those with a weight, in their order. */
  public static Fleet of(Collection<Part> parts) {
    return new Fleet(
        MACHINES, parts.stream().filter(part -> part.weight() > 0).sorted(Part.ORDER).toList());
  }

  public Fleet {
    machines = List.copyOf(machines);
    parts = List.copyOf(parts);
  }
}
