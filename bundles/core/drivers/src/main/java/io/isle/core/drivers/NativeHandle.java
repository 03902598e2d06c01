package io.isle.core.drivers;

import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeOpened;
import io.isle.core.drivers.nativecode.Place;
import java.util.List;

/** A native driver that a bundle brought. */
record NativeHandle(NativeDriver driver, String source) implements DriverHandle {
  @Override
  public DriverInfo info() {
    return driver.info();
  }

  @Override
  public List<DeviceSeed> seeds() {
    return driver.seeds();
  }

  @Override
  public Opened open(OpenRequest request) {
    NativeOpened opened =
        driver.open(request.spec(), request.epoch(), Place.of(request.plug()), request.lost());
    return new Opened(opened.device(), opened.hostPid(), opened.services(), opened.interfaces());
  }
}
