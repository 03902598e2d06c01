package io.isle.tck;

import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.nativecode.DeviceMemory;
import io.isle.core.drivers.nativecode.NativeDriver;
import java.util.List;
import java.util.Map;

/** A native driver in one tier. */
record NativeSubject(NativeDriver driver, int tier) implements Subject {
  @Override
  public DriverInfo info() {
    return driver.info();
  }

  @Override
  public List<DeviceSeed> probe() {
    return driver.seeds();
  }

  @Override
  public Opened open(DeviceSeed seed, Map<String, String> settings, Core core) {
    DeviceMemory memory = new DeviceMemory();
    try {
      DeviceSpec spec = new DeviceSpec(driver.info().name() + "0", seed, tier, true, settings);
      NativeDriver.Opened opened = driver.open(spec, 1, memory, core, core::lost);
      return new Opened(opened.device(), memory.commands(), memory::close);
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
  }
}
