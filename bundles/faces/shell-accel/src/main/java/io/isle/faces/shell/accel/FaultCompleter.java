package io.isle.faces.shell.accel;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes faults. */
@Service
public final class FaultCompleter extends IdCompleter {
  private static final List<String> FAULTS =
      List.of(
          "latency",
          "context_error",
          "partial_error",
          "hang",
          "segv",
          "abort",
          "exit",
          "lost_completion",
          "ecc_correctable",
          "ecc_uncorrectable",
          "throttle",
          "pcie_replay",
          "hotplug");

  @Override
  protected List<String> ids(Services services) {
    return FAULTS;
  }
}
