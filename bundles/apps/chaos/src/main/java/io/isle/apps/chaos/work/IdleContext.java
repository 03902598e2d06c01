package io.isle.apps.chaos.work;

import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.apps.chaos.platform.Core;
import java.util.Optional;
import java.util.Set;

/** A context without work. One that stays open is a leak on purpose. */
public final class IdleContext implements AutoCloseable {
  private final Core core;
  private final Capability capability;
  private final Context context;

  public IdleContext(Core core, String device) {
    this.core = core;
    capability =
        core.get(Capabilities.class)
            .issue(
                new CapabilitySpec(
                    "chaos", Set.of(Permission.ACCEL_COMPUTE), Optional.of(device), 0));
    Context opened = null;
    try {
      opened =
          core.get(Accelerators.class)
              .find(DeviceQuery.id(device))
              .open(capability, ContextSpec.named("idle"));
    } finally {
      if (opened == null) {
        core.get(Capabilities.class).revoke(capability);
      }
    }
    context = opened;
  }

  @Override
  public void close() {
    context.close();
    core.get(Capabilities.class).revoke(capability);
  }
}
