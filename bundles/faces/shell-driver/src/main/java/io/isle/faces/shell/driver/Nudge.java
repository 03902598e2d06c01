package io.isle.faces.shell.driver;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.faces.shell.Services;
import java.util.Optional;
import java.util.Set;

/**
 * A small piece of work on a device, so that it meets a planned fault, or is found to hang, even
 * where nobody else works on it.
 */
final class Nudge implements AutoCloseable {
  private static final int BYTES = 4096;

  private final Services services;
  private final Capability capability;
  private final Optional<Context> context;
  private final String problem;

  private Nudge(
      Services services, Capability capability, Optional<Context> context, String problem) {
    this.services = services;
    this.capability = capability;
    this.context = context;
    this.problem = problem;
  }

  static Nudge of(Services services, String device) {
    Capability capability =
        services.with(
            Capabilities.class,
            all ->
                all.issue(
                    new CapabilitySpec(
                        "shell",
                        Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY),
                        Optional.of(device),
                        BYTES)));
    try {
      Context context =
          services.with(
              Accelerators.class,
              all ->
                  all.find(DeviceQuery.id(device))
                      .open(capability, ContextSpec.named("driver:crash")));
      return new Nudge(services, capability, Optional.of(context), work(context));
    } catch (AccelException e) {
      // Full, or lost already: then the work of others meets the fault.
      return new Nudge(services, capability, Optional.empty(), e.getMessage());
    }
  }

  /** Why the work did not reach the device; empty if it did. */
  String problem() {
    return problem;
  }

  private static String work(Context context) {
    try {
      Buffer buffer = context.allocate(BYTES, Buffer.COHERENT);
      CommandWriter writer = context.writer();
      writer.fill(writer.use(buffer, 0, BYTES, Buffer.WRITE), 0, BYTES, 0);
      long point = context.submit(writer);
      return point > 0 ? "" : "its work was refused with code " + -point;
    } catch (AccelException e) {
      return e.getMessage();
    }
  }

  @Override
  public void close() {
    context.ifPresent(Context::close);
    services.ifThere(
        Capabilities.class,
        all -> {
          all.revoke(capability);
          return true;
        });
  }
}
