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
import java.util.function.Function;

/**
 * A small piece of work on a device, so that it meets a planned fault, or is found to hang, even
 * where nobody else works on it. Everything that the work needs is made before the fault.
 */
final class FaultTrigger implements AutoCloseable {
  private static final int BYTES = 4096;

  private final Context context;
  private final Buffer buffer;
  private String problem;

  private FaultTrigger(Context context, Buffer buffer, String problem) {
    this.context = context;
    this.buffer = buffer;
    this.problem = problem;
  }

  /** Calls {@code use} with a trigger that is ready; its context ends with the call. */
  static <R> R with(Services services, String device, String group, Function<FaultTrigger, R> use) {
    CapabilitySpec rights =
        new CapabilitySpec(
            "shell",
            group,
            Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY),
            Optional.of(device),
            BYTES);
    return services.with(
        Capabilities.class,
        capabilities -> {
          Capability capability = capabilities.issue(rights);
          try {
            return services.with(
                Accelerators.class,
                accelerators -> {
                  try (FaultTrigger trigger = open(accelerators, capability, device)) {
                    return use.apply(trigger);
                  }
                });
          } finally {
            capabilities.revoke(capability);
          }
        });
  }

  /** Where no context can be had, the work of others meets the fault. */
  private static FaultTrigger open(
      Accelerators accelerators, Capability capability, String device) {
    Context context = null;
    try {
      context =
          accelerators
              .find(DeviceQuery.id(device))
              .open(capability, ContextSpec.named("driver:crash"));
      return new FaultTrigger(context, context.allocate(BYTES, Buffer.COHERENT), "");
    } catch (AccelException e) {
      return new FaultTrigger(context, null, e.getMessage());
    }
  }

  /** Sends the work. */
  void send() {
    if (buffer == null) {
      return;
    }
    CommandWriter writer = context.writer();
    if (writer != null) {
      writer.fill(writer.use(buffer, 0, BYTES, Buffer.WRITE), 0, BYTES, 0);
    }
    long point = context.submit(writer);
    if (point < 0) {
      problem = "refused with error " + -point;
    }
  }

  /** Why the work did not reach the device; empty if it did. */
  String problem() {
    return problem;
  }

  @Override
  public void close() {
    if (context != null) {
      context.close();
    }
  }
}
