package io.isle.core.drivers;

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
interface DriverHandle {
  DriverInfo info();

  List<DeviceSeed> seeds();

  /** Why it found no device, if it says so; else empty. */
  default String missing() {
    return "";
  }

  /** Symbolic name and version of the bundle that brought it. */
  String source();

  /** What is wrong although it is in use: another version runs in the place of the bundle's. */
  default String note() {
    return "";
  }

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
  default Optional<Standby> standby(DeviceSpec spec, DevicePort.Plug plug) {
    return Optional.empty();
  }

  /** A device of it was opened and works: this version is one to fall back on. */
  default void proven() {}

  /**
   * The version to fall back on where this one does not open, although it does elsewhere; empty if
   * there is none.
   */
  default Optional<DriverHandle> lastGood() {
    return Optional.empty();
  }

  /**
   * Where this relies on what the driver said earlier, asks it; the same driver as it is now, if
   * that is another. May block.
   *
   * @throws io.isle.api.driver.DriverException when it does not answer
   */
  default Optional<DriverHandle> changed() {
    return Optional.empty();
  }

  /**
   * What an opening needs.
   *
   * @param plug the device's place: its memory and where completions and starts go
   * @param lost called when the device ends by itself, with the cause
   * @param standby to be used up, if there is one
   * @param completions where completions go
   */
  record OpenRequest(
      DeviceSpec spec,
      int epoch,
      DevicePort.Plug plug,
      Consumer<RecoveryCause> lost,
      Optional<Standby> standby,
      CompletionSink completions) {}
}
