package com.example.jdemo;

import io.isle.api.base.Setting;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.DriverServices;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;

/** A small, complete driver. Its one device is a thread that runs work in order. */
@Component(service = Driver.class)
public final class DemoDriver implements Driver {
  private static final String VERSION = "1.0.0";
  private static final String MEMORY = "memory_bytes";
  private static final String CONTEXTS = "max_contexts";

  private static final DriverInfo INFO =
      new DriverInfo(
          "jdemo",
          VERSION,
          DriverInfo.KABI,
          List.of(
              Setting.bytes(MEMORY, 1 << 20, 1L << 36, 64 << 20, "device memory"),
              Setting.integer(CONTEXTS, 1, 64, 16, "contexts at a time")),
          false);

  @Override
  public DriverInfo info() {
    return INFO;
  }

  /** Look for the hardware here, without changing its state. */
  @Override
  public List<DeviceSeed> probe() {
    return List.of(new DeviceSeed("jdemo", "", "a thread that counts bytes"));
  }

  @Override
  public AccelDevice open(DeviceSeed seed, Map<String, String> settings, DriverServices core) {
    return new DemoDevice(
        core, Long.parseLong(settings.get(MEMORY)), Integer.parseInt(settings.get(CONTEXTS)));
  }
}
