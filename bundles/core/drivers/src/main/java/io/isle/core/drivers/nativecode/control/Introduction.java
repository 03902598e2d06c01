package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.List;

/**
 * What a driver says of itself, checked, and the devices that it finds.
 *
 * @param missing why there are none, if it says so; else empty
 */
public record Introduction(DriverInfo info, List<DeviceSeed> seeds, String missing) {
  public Introduction {
    seeds = List.copyOf(seeds);
  }
}
