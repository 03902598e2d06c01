package io.isle.core.drivers;

import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DeviceRegistry.Binding;
import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;

/** A driver that is bound to the registry, and the slots of its devices. */
final class BoundDriver implements DeviceControl {
  private final DriverHandle driver;
  private final Executor background;
  private final Map<String, DeviceSlot> slots = new ConcurrentSkipListMap<>();
  private volatile DevicePort port;
  private final CompletableFuture<Binding> binding = new CompletableFuture<>();

  BoundDriver(DriverHandle driver, DevicePort port, Executor background) {
    this.driver = driver;
    this.port = port;
    this.background = background;
  }

  /** Binds it; its devices are opened as the registry asks for them. */
  void bind(DeviceRegistry registry) {
    try {
      binding.complete(registry.bind(driver.info(), driver.seeds(), this));
    } finally {
      // a refused driver has nothing to report
      binding.cancel(false);
    }
  }

  DriverHandle driver() {
    return driver;
  }

  List<String> devices() {
    return List.copyOf(slots.keySet());
  }

  void port(DevicePort now) {
    port = now;
    slots.values().forEach(slot -> slot.port(now));
  }

  @Override
  public void apply(DeviceSpec spec) {
    slot(spec).apply(spec);
  }

  @Override
  public void reload(DeviceSpec spec) {
    slot(spec).reload(spec);
  }

  @Override
  public void remove(String deviceId) {
    DeviceSlot slot = slots.remove(deviceId);
    if (slot != null) {
      slot.close("it was removed");
    }
  }

  private DeviceSlot slot(DeviceSpec spec) {
    return slots.computeIfAbsent(
        spec.id(),
        id ->
            new DeviceSlot(driver, spec, port, this::report, background, binding.join().epoch(id)));
  }

  /** The registry may ask for devices before {@link #bind} has returned: so this waits. */
  private void report(DeviceReport report) {
    binding.join().report(report);
  }

  /** Closes its devices and lets go of the registry. */
  void close(String why) {
    slots.values().forEach(slot -> slot.close(why));
    slots.clear();
    binding.join().close();
  }
}
