package io.isle.core.drivers;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.nativecode.DeviceMemory;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A driver, native or in Java, as the rest of this bundle sees it. */
interface DriverHandle {
  DriverInfo info();

  List<DeviceSeed> seeds();

  /** Symbolic name and version of the bundle that brought it. */
  String source();

  Opened open(OpenRequest request);

  /**
   * What an opening needs.
   *
   * @param lost called when the device ends by itself, with the reason
   */
  record OpenRequest(
      DeviceSpec spec,
      int epoch,
      DeviceMemory memory,
      CompletionSink sink,
      Consumer<String> lost) {}

  /** An open device and what is known of it. */
  record Opened(
      AccelDevice device, Optional<Long> hostPid, List<String> services, List<String> interfaces) {}
}
