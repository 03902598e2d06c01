package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.List;

/**
 * The checked description that a driver gives of itself, and the devices that it finds.
 *
 * @param missing the driver's reason for finding no device; empty if it gives none
 */
public record ProbeResult(DriverInfo info, List<DeviceSeed> seeds, String missing) {
  public ProbeResult {
    seeds = List.copyOf(seeds);
  }
}
