package io.isle.spin.nic.hpus;

import java.util.List;

/** Names of the causes of traps. */
public final class TrapCauses {
  private static final List<String> NAMES =
      List.of(
          "refused",
          "access",
          "bus",
          "arithmetic",
          "illegal",
          "break",
          "cpu_time",
          "wall_time",
          "host_time",
          "exit",
          "stopped");

  private TrapCauses() {}

  /** The name of {@code SpinStructs.CAUSE_*}; 0 means that the HPU has refused the task. */
  public static String text(int cause) {
    return cause >= 0 && cause < NAMES.size() ? NAMES.get(cause) : "unknown";
  }
}
