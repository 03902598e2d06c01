package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeOpened;
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
    CoreMemory memory = new CoreMemory();
    try {
      DeviceSpec spec = new DeviceSpec(driver.info().name() + "0", seed, tier, true, settings);
      NativeOpened opened =
          driver.open(spec, 1, memory.connection(core), cause -> core.lost(cause.text()));
      return new Opened(opened.device(), memory.commands(), memory::close);
    } catch (DriverException e) {
      memory.close();
      if (e.code() == Errno.ENOTSUP && e.getMessage().startsWith("tier: ")) {
        throw new Check.Skipped(e.getMessage());
      }
      throw e;
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
  }
}
