package io.isle.core.drivers.driver;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A driver, native or in Java, as the rest of this bundle sees it. Thread-safe. */
public interface DriverHandle {
  DriverInfo info();

  List<DeviceSeed> seeds();

  /** Why it found no device, if it says so; else empty. */
  String missing();

  /** Symbolic name and version of the bundle that brought it. */
  String source();

  /** What is wrong although it is in use: another version runs instead of the bundle's. */
  String note();

  /**
   * Opens a device.
   *
   * @throws io.isle.api.driver.DriverException saying why not; then nothing of it is left
   */
  OpenedDevice open(OpenRequest request);

  /**
   * Loads the driver for the device, in the tier that the spec asks for; empty if that cannot be
   * done before the device is opened.
   *
   * @throws io.isle.api.driver.DriverException saying why not; then nothing of it is left
   */
  Optional<Standby> standby(DeviceSpec spec, DevicePort.Attachment attachment);

  /** Versions of the driver that this one is a version of. */
  Versions versions();

  /**
   * What an opening needs.
   *
   * @param attachment the device's attachment: shared memory, and the receiver of completions and
   *     starts
   * @param lost called when the device ends by itself, with the cause
   * @param standby to be used up, if there is one
   * @param completions where completions go
   */
  record OpenRequest(
      DeviceSpec spec,
      int epoch,
      DevicePort.Attachment attachment,
      Consumer<RecoveryCause> lost,
      Optional<Standby> standby,
      CompletionSink completions) {}
}
