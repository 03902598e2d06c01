package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.apps.chaos.platform.Core;
import java.util.Random;
import java.util.Set;

/** Opens a context, works, checks, and opens another when it is gone. */
final class Tenant extends DeviceUser {
  private final Recorder recorder;
  private final String device;
  private final TenantProfile profile;
  private final Random random;

  Tenant(Core core, Recorder recorder, String device, TenantProfile profile, long seed) {
    super(core, recorder, device, Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY));
    this.recorder = recorder;
    this.device = device;
    this.profile = profile;
    this.random = new Random(seed);
  }

  @Override
  String purpose() {
    return profile.toString();
  }

  @Override
  void visit(Accelerator accelerator, Capability right) {
    try (ContextSession session =
        new ContextSession(device, accelerator, right, profile, recorder, random)) {
      while (!stopped() && !session.gone()) {
        try {
          session.round();
        } catch (AccelException e) {
          if (Slot.ends(e.code()) || !passes(e)) {
            throw e;
          }
        }
        session.rest();
      }
    }
  }
}
