package io.isle.faces.shell.spin.run;

import io.isle.api.spin.HandlerRuns;
import io.isle.api.spin.RunResult;
import io.isle.api.spin.RunSpec;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;

/** A run under a capability that is there as long as the run. */
record CapableRun(RunSpec spec, CapturePackets packets, RunOutput output) {
  /** Tenant, and name of the context. */
  static final String TENANT = "spin-run";

  RunResult run(Services services) throws IOException {
    try {
      return services.with(
          Capabilities.class,
          capabilities -> services.with(HandlerRuns.class, runs -> run(capabilities, runs)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private RunResult run(Capabilities capabilities, HandlerRuns runs) {
    Capability capability =
        capabilities.issue(
            new CapabilitySpec(
                TENANT,
                Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY),
                Optional.empty(),
                0));
    try {
      return runs.run(capability, spec, packets, output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("interrupted after " + packets.taken() + " packets");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      capabilities.revoke(capability);
    }
  }
}
