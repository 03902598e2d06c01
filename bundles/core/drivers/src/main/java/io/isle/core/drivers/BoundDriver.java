package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DeviceRegistry.Binding;
import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.recovery.BoundedParticipant;
import io.isle.core.drivers.supervision.DeviceSupervisor;
import io.isle.core.drivers.supervision.SharedParts;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A driver that is bound to the registry, and the supervisors of its devices. Thread-safe. */
final class BoundDriver implements DeviceControl {
  private static final Logger LOG = LoggerFactory.getLogger(BoundDriver.class);

  private final SharedParts shared;
  private final CompletableFuture<Binding> binding = new CompletableFuture<>();
  // Guarded by this: so that no device is made with a port that has just changed.
  private final SortedMap<String, DeviceSupervisor> devices = new TreeMap<>();
  private DevicePort port;
  private boolean closed;
  private volatile DriverHandle driver;

  BoundDriver(DriverHandle driver, DevicePort port, SharedParts shared) {
    this.driver = driver;
    this.port = port;
    this.shared = shared;
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

  /**
   * Another version of the driver takes over, of the same name: each device goes on with the old
   * one until it is handed over.
   *
   * @throws DriverException EINVAL when the registry refuses its description; nothing has changed
   */
  void succeed(DriverHandle next) {
    DriverHandle before = driver;
    driver = next;
    try {
      binding.join().succeed(next.info(), next.seeds());
    } catch (DriverException refused) {
      driver = before;
      throw refused;
    }
  }

  DriverHandle driver() {
    return driver;
  }

  synchronized List<String> devices() {
    return List.copyOf(devices.keySet());
  }

  /** Where older versions run in the driver's place, and why; empty if none does. */
  String rollback() {
    List<String> notes = new ArrayList<>();
    notes.add(driver.note());
    known().forEach(device -> notes.add(device.rollback()));
    return String.join("; ", notes.stream().filter(note -> !note.isEmpty()).distinct().toList());
  }

  /** The port came, or is about to go (null); then returns when nothing uses it. */
  void port(DevicePort now) {
    List<DeviceSupervisor> known;
    synchronized (this) {
      port = now;
      known = known();
    }
    all(known, device -> device.port(now));
  }

  /** One that takes part in recoveries has come; its devices tell it by themselves. */
  void join(BoundedParticipant bounded) {
    for (DeviceSupervisor device : known()) {
      var ignored = device.join(bounded);
    }
  }

  /** Takes new settings of the service. */
  void tuned() {
    known().forEach(DeviceSupervisor::tuned);
  }

  @Override
  public void apply(DeviceSpec spec) {
    done(device(spec.id()).apply(driver, spec));
  }

  @Override
  public void reload(DeviceSpec spec) {
    done(device(spec.id()).reload(driver, spec));
  }

  @Override
  public void reset(DeviceSpec spec) {
    done(device(spec.id()).reset(driver, spec));
  }

  @Override
  public void suspend(String deviceId) {
    done(device(deviceId).suspend());
  }

  @Override
  public void resume(String deviceId) {
    done(device(deviceId).resume());
  }

  @Override
  public void injectFault(String deviceId, HostFault fault) {
    done(device(deviceId).injectFault(fault));
  }

  @Override
  public void injectFault(String deviceId, String group, HostFault fault) {
    done(device(deviceId).injectFault(group, fault));
  }

  @Override
  public void remove(String deviceId) {
    DeviceSupervisor device;
    synchronized (this) {
      device = devices.remove(deviceId);
    }
    if (device == null) {
      shared.handovers().drop(deviceId);
    } else {
      done(device.remove());
    }
  }

  private synchronized List<DeviceSupervisor> known() {
    return new ArrayList<>(devices.values());
  }

  /**
   * @throws DriverException ENODEV once closed: a late device would never be closed
   */
  private DeviceSupervisor device(String id) {
    int epoch = binding.join().epoch(id);
    synchronized (this) {
      if (closed) {
        throw new DriverException(
            Errno.ENODEV, "driver " + driver.info().name() + " is being removed");
      }
      return devices.computeIfAbsent(
          id, key -> new DeviceSupervisor(key, port, epoch, shared, this::report));
    }
  }

  /** The registry may ask for devices before {@link #bind} has returned: so this waits. */
  private void report(DeviceReport report) {
    binding.join().report(report);
  }

  /** Takes its devices away, all at once, and lets go of the registry. Their contexts wait. */
  void close(RecoveryCause cause) {
    List<DeviceSupervisor> known;
    synchronized (this) {
      closed = true;
      known = known();
      devices.clear();
    }
    try {
      all(known, device -> device.depart(cause));
    } finally {
      binding.join().close();
    }
  }

  /** Waits for every device: what becomes of one is no reason not to wait for the others. */
  private void all(
      List<DeviceSupervisor> devices, Function<DeviceSupervisor, CompletableFuture<Void>> request) {
    for (CompletableFuture<Void> each : devices.stream().map(request).toList()) {
      try {
        done(each);
      } catch (DriverException e) {
        if (e.code() != Errno.ENODEV) {
          // else it was removed meanwhile
          LOG.warn("driver {}: a device: {}", driver.info().name(), e.getMessage());
        }
      } catch (RuntimeException e) {
        LOG.error("driver {}: a device failed because of a defect", driver.info().name(), e);
      }
    }
  }

  private static void done(CompletableFuture<Void> request) {
    try {
      var ignored = request.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IsleException refused) {
        throw refused;
      }
      throw e;
    }
  }
}
