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
   * @param then runs afterwards
   */
  void tell(Device device, Consumer<DeviceControl> what, Runnable then) {
    BoundDriver driver = drivers.get(device.name.driver());
    calls.call(
        device.id(),
        () -> {
          if (!driver.gone) {
            what.accept(driver.control);
          }
        },
        failure -> {
          device.failure = failure == null ? "" : reason(failure);
          if (device.node.isPresent() || device.applied.isPresent()) {
            table.publish(device);
          }
          then.run();
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
        () -> {
          if (driver.gone) {
            throw new DeviceException(Errno.ENODEV, "driver " + driver.name() + " is gone");
          }
          what.accept(driver.control);
        },
        failure ->
            done.accept(
                failure instanceof DriverException refused
                    ? new DeviceException(refused.code(), refused.getMessage(), refused)
                    : failure));
  }

  private static String reason(RuntimeException e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return e instanceof DriverException known ? text + " (" + Errno.name(known.code()) + ")" : text;
  }
}
