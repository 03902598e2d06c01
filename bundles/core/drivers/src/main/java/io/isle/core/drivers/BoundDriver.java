package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DeviceRegistry.Binding;
import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A driver that is bound to the registry, and the slots of its devices. Thread-safe. */
final class BoundDriver implements DeviceControl {
  private final DriverHandle driver;
  private final Executor background;
  private final CompletableFuture<Binding> binding = new CompletableFuture<>();
  // Guarded by this: so that no slot is made with a port that has just changed.
  private final SortedMap<String, DeviceSlot> slots = new TreeMap<>();
  private DevicePort port;
  private boolean closed;

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

  synchronized List<String> devices() {
    return List.copyOf(slots.keySet());
  }

  void port(DevicePort now) {
    List<DeviceSlot> known;
    synchronized (this) {
      port = now;
      known = new ArrayList<>(slots.values());
    }
    known.forEach(slot -> slot.port(now));
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
    DeviceSlot slot;
    synchronized (this) {
      slot = slots.remove(deviceId);
    }
    if (slot != null) {
      slot.close("it was removed");
    }
  }

  @Override
  public void reset(DeviceSpec spec) {
    slot(spec).reload(spec);
  }

  @Override
  public void suspend(String deviceId) {
    throw new DriverException(Errno.ENOTSUP, deviceId + " cannot be suspended");
  }

  @Override
  public void resume(String deviceId) {
    throw new DriverException(Errno.EINVAL, deviceId + " is not suspended");
  }

  /**
   * @throws DriverException ENODEV once closed: a late slot would never be closed
   */
  private DeviceSlot slot(DeviceSpec spec) {
    int epoch = binding.join().epoch(spec.id());
    synchronized (this) {
      if (closed) {
        throw new DriverException(Errno.ENODEV, "driver " + driver.info().name() + " is going");
      }
      return slots.computeIfAbsent(
          spec.id(), id -> new DeviceSlot(driver, spec, port, this::report, background, epoch));
    }
  }

  /** The registry may ask for devices before {@link #bind} has returned: so this waits. */
  private void report(DeviceReport report) {
    binding.join().report(report);
  }

  /** Closes its devices and lets go of the registry. */
  void close(String why) {
    List<DeviceSlot> known;
    synchronized (this) {
      closed = true;
      known = new ArrayList<>(slots.values());
      slots.clear();
    }
    known.forEach(slot -> slot.close(why));
    binding.join().close();
  }
}
