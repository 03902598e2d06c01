package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.display.Displays;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.apps.chaos.platform.Core;
import java.util.Set;

/**
 * A tenant that shows pictures on the first screen of a device and checks the screen's contents.
 */
final class DisplayTenant extends DeviceUser {
  private final Core core;
  private final Recorder recorder;
  private final String device;

  DisplayTenant(Core core, Recorder recorder, String device) {
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
    try (DisplaySession session =
        new DisplaySession(
            device,
            () -> core.get(Displays.class).of(device, right),
            accelerator,
            right,
            recorder)) {
      while (!stopped()) {
        try {
          session.round();
        } catch (Core.AwayException e) {
          // the owner of displays restarts, and its screens go on showing
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
