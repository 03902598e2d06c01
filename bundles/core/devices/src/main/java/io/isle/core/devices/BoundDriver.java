package io.isle.core.devices;

import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.List;

/** A driver that is there. Compared by identity: the same driver bound again is another one. */
final class BoundDriver {
  final DeviceControl control;

  // Written by the registry's thread alone.
  volatile DriverInfo info;
  volatile List<DeviceSeed> seeds;

  /** Nothing of it is called any more. */
  volatile boolean gone;

  BoundDriver(DriverInfo info, List<DeviceSeed> seeds, DeviceControl control) {
    this.info = info;
    this.seeds = List.copyOf(seeds);
    this.control = control;
  }

  /** Another version of it takes over. */
  void succeed(DriverInfo driver, List<DeviceSeed> itsSeeds) {
    info = driver;
    seeds = List.copyOf(itsSeeds);
  }

  String name() {
    return info.name();
  }
}
