package io.isle.core.devices;

import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.List;

/** A driver that is there. Compared by identity: the same driver bound again is another one. */
final class BoundDriver {
  final DriverInfo info;
  final List<DeviceSeed> seeds;
  final DeviceControl control;

  /** Nothing of it is called any more. */
  volatile boolean gone;

  BoundDriver(DriverInfo info, List<DeviceSeed> seeds, DeviceControl control) {
    this.info = info;
    this.seeds = List.copyOf(seeds);
    this.control = control;
  }

  String name() {
    return info.name();
  }
}
