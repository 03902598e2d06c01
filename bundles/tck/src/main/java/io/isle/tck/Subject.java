package io.isle.tck;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** A driver under test, in one tier. Made anew for each case. */
interface Subject {
  DriverInfo info();

  List<DeviceSeed> probe();

  /**
   * Opens a device.
   *
   * @param settings every key of the schema
   */
  Opened open(DeviceSeed seed, Map<String, String> settings, Core core);

  /**
   * An open device.
   *
   * @param commands where envelopes are written
   * @param afterClose gives back what is not the device's
   */
  record Opened(AccelDevice device, MemorySegment commands, Runnable afterClose) {}
}
