package io.isle.benchmarks.spin;

import io.isle.benchmarks.Commands;
import java.io.IOException;
import java.util.List;

/** The processes of drivers that this one has started. */
final class HpuProcesses {
  private static final String PROGRAM = "driver-host";

  private HpuProcesses() {}

  /** Keeps their threads on the processor that clients and peers leave free. */
  static void pin() throws IOException, InterruptedException {
    for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
      if (process.info().command().orElse("").endsWith(PROGRAM)) {
        String ignored =
            Commands.output(
                List.of("taskset", "--all-tasks", "-pc", "0", Long.toString(process.pid())));
      }
    }
  }
}
