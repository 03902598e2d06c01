package io.isle.core.drivers;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
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
   * @param plug the device's place: its memory and where completions and starts go
   * @param lost called when the device ends by itself, with the cause
   */
  record OpenRequest(
      DeviceSpec spec, int epoch, DevicePort.Plug plug, Consumer<RecoveryCause> lost) {}

  /** An open device and what is known of it. */
  record Opened(
      AccelDevice device, Optional<Long> hostPid, List<String> services, List<String> interfaces) {}
}
