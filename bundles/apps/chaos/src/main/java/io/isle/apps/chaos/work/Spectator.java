package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.display.Displays;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.apps.chaos.platform.Core;
import java.util.Set;

/** Shows pictures on the first screen of a device and looks at what it then shows. */
final class Spectator extends Guest {
  private final Core core;
  private final Recorder recorder;
  private final String device;

  Spectator(Core core, Recorder recorder, String device) {
    super(
        core,
        recorder,
        device,
        Set.of(Permission.ACCEL_COMPUTE, Permission.ACCEL_MEMORY, Permission.ACCEL_DISPLAY));
    this.core = core;
    this.recorder = recorder;
    this.device = device;
  }

  @Override
  String purpose() {
    return "screen";
  }

  @Override
  void visit(Accelerator accelerator, Capability right) {
    try (Show show =
        new Show(
            device,
            () -> core.get(Displays.class).of(device, right),
            accelerator,
            right,
            recorder)) {
      while (!stopped()) {
        try {
          show.round();
        } catch (Core.AwayException e) {
          // the owner of displays restarts, and its screens show on
        } catch (AccelException e) {
          if (Slot.ends(e.code()) || !passes(e)) {
            throw e;
          }
        }
        show.rest();
      }
    }
  }
}
