package io.isle.core.accel;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import java.util.List;
import java.util.Optional;

/** A device from its {@code online} to its {@code offline}, with what never changes meanwhile. */
record OpenDevice(
    AccelDevice device,
    int epoch,
    ControlLane lane,
    DeviceInfo info,
    Optional<Programs> programs,
    Optional<FaultInjection> faults,
    Optional<ComputeReports> reports,
    List<String> builtins) {

  /** Asks the device what it is. */
  static OpenDevice of(AccelDevice device, int epoch, ControlLane lane) {
    return lane.call(
        "open",
        () -> {
          Optional<Programs> programs = device.extension(Programs.class);
          return new OpenDevice(
              device,
              epoch,
              lane,
              device.info(),
              programs,
              device.extension(FaultInjection.class),
              device.extension(ComputeReports.class),
              programs.map(OpenDevice::names).orElse(List.of()));
        });
  }

  private static List<String> names(Programs programs) {
    return programs.builtins().stream().map(ProgramEntry::name).toList();
  }
}
