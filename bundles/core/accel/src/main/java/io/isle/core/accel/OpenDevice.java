package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Health;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A device of one opening, with what never changes meanwhile. */
record OpenDevice(
    AccelDevice device,
    int epoch,
    ControlLane lane,
    DeviceInfo info,
    Optional<Programs> programs,
    Optional<FaultInjection> faults,
    Optional<ComputeReports> reports,
    Optional<PageRetirement> retirement,
    Optional<Health> health) {

  /** Asks the device what it is. */
  static OpenDevice of(AccelDevice device, int epoch, ControlLane lane) {
    return lane.call(
        "open",
        () -> {
          return new OpenDevice(
              device,
              epoch,
              lane,
              device.info(),
              device.extension(Programs.class),
              device.extension(FaultInjection.class),
              device.extension(ComputeReports.class),
              device.extension(PageRetirement.class),
              device.extension(Health.class));
        });
  }

  /**
   * Sets how fast it runs.
   *
   * @param level auto, low, balanced or high
   * @throws AccelException EINVAL, ENOTSUP
   */
  void setPerformanceLevel(String level) {
    for (PerformanceLevel known : PerformanceLevel.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(level)) {
        lane.run("performance level", () -> device.setPerformanceLevel(known));
        return;
      }
    }
    throw new AccelException(
        Errno.EINVAL, "level: '" + level + "' is not one of auto, low, balanced, high");
  }

  /** On the control lane: names of its built-in programs. */
  List<String> builtins() {
    return programs
        .map(all -> all.builtins().stream().map(ProgramEntry::name).toList())
        .orElse(List.of());
  }
}
