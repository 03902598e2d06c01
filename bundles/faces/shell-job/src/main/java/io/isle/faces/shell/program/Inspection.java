package io.isle.faces.shell.program;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the driver of a device says of a program's kernels.
 *
 * @param kernels all of them, those that cannot be used included; at least one
 */
public record Inspection(String device, List<KernelInfo> kernels) {
  private static final String TENANT = "shell";

  /** Where devices have processes of groups, a source that ends its compiler ends this one's. */
  private static final String GROUP = "inspect";

  /**
   * Loads a program in a context of its own, which ends with the call.
   *
   * @param device id of the device; null for the first one that accepts OpenCL C
   * @throws ShellException when there is no such device, or its driver describes no kernels
   * @throws io.isle.api.accel.AccelException when the program cannot be built, with the build log
   */
  public static Inspection of(Services services, String device, ProgramSource source) {
    return services.with(
        Accelerators.class,
        accelerators -> {
          String id = device == null ? first(accelerators) : device;
          CapabilitySpec rights =
              new CapabilitySpec(
                  TENANT,
                  GROUP,
                  Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY),
                  Optional.of(id),
                  0);
          return services.with(
              Capabilities.class,
              capabilities -> {
                Capability capability = capabilities.issue(rights);
                try {
                  return new Inspection(id, kernels(accelerators, capability, id, source));
                } finally {
                  capabilities.revoke(capability);
                }
              });
        });
  }

  private static String first(Accelerators accelerators) {
    return accelerators.list().stream()
        .filter(info -> info.programKinds().contains(ProgramKind.OPENCL_C))
        .map(AcceleratorInfo::id)
        .findFirst()
        .orElseThrow(
            () -> ShellException.failed("no open device accepts OpenCL C; see device:list"));
  }

  private static List<KernelInfo> kernels(
      Accelerators accelerators, Capability capability, String id, ProgramSource source) {
    try (Context context =
            accelerators
                .find(DeviceQuery.id(id))
                .open(capability, ContextSpec.named("program:inspect"));
        Program program = context.load(source)) {
      List<KernelInfo> kernels = program.kernels();
      if (kernels.isEmpty()) {
        throw ShellException.failed("the driver of " + id + " does not describe kernels");
      }
      return kernels;
    }
  }
}
