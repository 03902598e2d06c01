package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What administrators ask of a device beside its settings. Each request throws {@link
 * DeviceException} when the device is unknown or not applied, and else tells {@code done} of its
 * end, with null or what went wrong. Belongs to the registry's thread.
 */
final class DeviceRequests {
  private final DeviceTable table;
  private final DriverOwners owners;

  DeviceRequests(DeviceTable table, DriverOwners owners) {
    this.table = table;
    this.owners = owners;
  }

  /** Closes a device and opens it anew. */
  void reload(String id, Consumer<RuntimeException> done) {
    reopen(id, DeviceControl::reload, done);
  }

  /** Interrupts a device's work and opens it anew. */
  void reset(String id, Consumer<RuntimeException> done) {
    reopen(id, DeviceControl::reset, done);
  }

  private void reopen(
      String id, BiConsumer<DeviceControl, DeviceSpec> how, Consumer<RuntimeException> done) {
    Device device = applied(id);
    DeviceSpec spec = device.applied.orElseThrow();
    if (!spec.enabled()) {
      throw new DeviceException(Errno.EINVAL, id + " is disabled; run device:enable first");
    }
    owners.tell(
        device,
        control -> how.accept(control, spec),
        untold -> {
          if (untold == null && isGivenUp(device)) {
            done.accept(
                new DeviceException(
                    Errno.ENODEV, id + " could not be reopened: " + device.error()));
          } else {
            done.accept(untold);
          }
        });
  }

  /** One that recovers again was open in between. */
  private static boolean isGivenUp(Device device) {
    return device
        .node
        .map(now -> now.state() == DeviceState.FAILED || now.state() == DeviceState.QUARANTINED)
        .orElse(true);
  }

  /** Stops work on a device. */
  void suspend(String id, Consumer<RuntimeException> done) {
    owners.ask(applied(id), control -> control.suspend(id), done);
  }

  /** Goes on with it. */
  void resume(String id, Consumer<RuntimeException> done) {
    owners.ask(applied(id), control -> control.resume(id), done);
  }

  /** Harms its driver's process. */
  void injectFault(String id, HostFault fault, Consumer<RuntimeException> done) {
    owners.ask(applied(id), control -> control.injectFault(id, fault), done);
  }

  /** Harms the process of a group. */
  void injectFault(String id, String group, HostFault fault, Consumer<RuntimeException> done) {
    owners.ask(applied(id), control -> control.injectFault(id, group, fault), done);
  }

  /** A device that its driver's owner knows. */
  private Device applied(String id) {
    Device device = table.device(id);
    if (owners.find(device.name.driver()).isEmpty() || device.applied.isEmpty()) {
      throw new DeviceException(Errno.ENODEV, id + " is not open: " + device.error());
    }
    return device;
  }
}
