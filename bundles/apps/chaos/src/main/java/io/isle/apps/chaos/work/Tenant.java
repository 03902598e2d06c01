package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.apps.chaos.platform.Core;
import java.util.Random;
import java.util.Set;

/** Opens a context, works, checks, and opens another when it is gone. */
final class Tenant extends Guest {
  private final Recorder recorder;
  private final String device;
  private final Manner manner;
  private final Random random;

  Tenant(Core core, Recorder recorder, String device, Manner manner, long seed) {
    super(core, recorder, device, Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY));
    this.recorder = recorder;
    this.device = device;
    this.manner = manner;
    this.random = new Random(seed);
  }

  @Override
  String purpose() {
    return manner.toString();
  }

  @Override
  void visit(Accelerator accelerator, Capability right) {
    try (Sitting sitting = new Sitting(device, accelerator, right, manner, recorder, random)) {
      while (!stopped() && !sitting.gone()) {
        try {
          sitting.round();
        } catch (AccelException e) {
          if (Slot.ends(e.code()) || !passes(e)) {
            throw e;
          }
        }
        sitting.rest();
      }
    }
  }
}
