package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceException;
import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DriverException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The drivers that are bound, and how their owners are told of devices. The registry's thread. */
final class DriverOwners {
  private final Map<String, BoundDriver> drivers = new HashMap<>();
  private final DeviceTable table;
  private final DeviceCalls calls;

  DriverOwners(DeviceTable table, DeviceCalls calls) {
    this.table = table;
    this.calls = calls;
  }

  void add(BoundDriver driver) {
    drivers.put(driver.name(), driver);
  }

  /** Nothing of it is called any more; false if it was not bound. */
  boolean remove(BoundDriver driver) {
    driver.gone = true;
    return drivers.remove(driver.name(), driver);
  }

  Optional<BoundDriver> find(String name) {
    return Optional.ofNullable(drivers.get(name));
  }

  /**
   * Tells the owner of a device's driver what shall be; whatever it throws becomes the device's
   * failure.
   *
   * @param then runs afterwards, with null or why the owner was not told at all
   */
  void tell(Device device, Consumer<DeviceControl> what, Consumer<RuntimeException> then) {
    BoundDriver driver = drivers.get(device.name.driver());
    calls.call(
        device.id(),
        () -> what.accept(control(driver)),
        failure -> {
          RuntimeException untold = failure instanceof DeviceException ? failure : null;
          device.failure = failure == null || untold != null ? "" : reason(failure);
          if (device.node.isPresent() || device.applied.isPresent()) {
            table.publish(device);
          }
          then.accept(untold);
        });
  }

  /**
   * Asks the owner of a device's driver for something that it may refuse.
   *
   * @param done hears of the end, with null or what went wrong
   */
  void ask(Device device, Consumer<DeviceControl> what, Consumer<RuntimeException> done) {
    BoundDriver driver = drivers.get(device.name.driver());
    calls.call(
        device.id(),
        () -> what.accept(control(driver)),
        failure ->
            done.accept(
                failure instanceof DriverException refused
                    ? new DeviceException(refused.code(), refused.getMessage(), refused)
                    : failure));
  }

  /**
   * @throws DeviceException ENODEV once the driver is gone: nothing of it is called any more
   */
  private static DeviceControl control(BoundDriver driver) {
    if (driver.gone) {
      throw new DeviceException(Errno.ENODEV, "driver " + driver.name() + " was removed");
    }
    return driver.control;
  }

  private static String reason(RuntimeException e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return e instanceof DriverException known ? text + " (" + Errno.name(known.code()) + ")" : text;
  }
}
