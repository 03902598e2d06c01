package io.isle.drivers.sim;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.DriverServices;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;

/**
 * The driver {@code sim}. It finds no devices: a file {@code etc/io.isle.device-sim0.cfg} with
 * {@code driver=sim} makes one.
 */
@Component(service = Driver.class)
public final class SimDriver implements Driver {
  private static final DriverInfo INFO =
      new DriverInfo("sim", "0.1.0", DriverInfo.KABI, SimSettings.SCHEMA, false);

  @Override
  public DriverInfo info() {
    return INFO;
  }

  @Override
  public List<DeviceSeed> probe() {
    return List.of();
  }

  @Override
  public AccelDevice open(DeviceSeed seed, Map<String, String> settings, DriverServices core) {
    return new SimDevice(seed.name(), SimSettings.of(settings), core);
  }
}
