package io.isle.api.driver;

import io.isle.api.device.DeviceHost;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.device.Isolation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The contract between {@code core/devices}, which implements this service, and {@code
 * core/drivers}, which calls it. A driver is bound, and the registry decides for each of its
 * devices whether and how the device is open. Thread-safe.
 */
@ProviderType
public interface DeviceRegistry {
  /**
   * Binds a new driver. The registry calls {@link DeviceControl#apply} for each configured device,
   * now and at each change of settings, on one thread of the registry.
   *
   * @throws DriverException EEXIST if a driver with this name is bound
   */
  Binding bind(DriverInfo driver, List<DeviceSeed> seeds, DeviceControl control);

  /** Waits until all requests so far are in force. */
  void settle();

  /** A bound driver. */
  interface Binding extends AutoCloseable {
    /** Reports the state of a device, for the device tree. */
    void report(DeviceReport report);

    /**
     * The last epoch of a device, from which the next driver continues to count; 0 if the device
     * was never open.
     */
    int epoch(String deviceId);

    /**
     * Another version of the driver takes over. The registry calls {@link DeviceControl#apply}
     * again for each configured device, and {@link DeviceControl#remove} for devices that the new
     * version does not find.
     *
     * @param driver description with the same name
     * @throws DriverException EINVAL for a bad description
     */
    void succeed(DriverInfo driver, List<DeviceSeed> seeds);

    /**
     * Unbinds the driver and removes the devices that the driver found. A device with settings of
     * its own stays FAILED with "no driver ..." until a driver with this name is bound.
     */
    @Override
    void close();
  }

  /** Control of devices by {@code core/drivers}, for the registry. */
  interface DeviceControl {
    /**
     * Opens the device, opens it again with other settings, or keeps it closed ({@code enabled}
     * false). May block.
     */
    void apply(DeviceSpec spec);

    /** Closes and discards the device. May block. */
    void remove(String deviceId);

    /** Replaces the driver of the device in an orderly way. May block. */
    void reload(DeviceSpec spec);

    /** As {@link #reload}, but work is interrupted as after a crash. May block. */
    void reset(DeviceSpec spec);

    /**
     * Keeps pending work and starts no further work. May block.
     *
     * @throws DriverException ENODEV if the device is not open
     */
    void suspend(String deviceId);

    /**
     * Ends {@link #suspend}.
     *
     * @throws DriverException EINVAL if the device is not suspended
     */
    void resume(String deviceId);

    /**
     * Injects a fault into the driver's process; returns when the process has ended or stopped.
     *
     * @throws DriverException ENODEV if the device is not open; ENOTSUP if its settings forbid
     *     faults or its driver has no process of its own
     */
    void injectFault(String deviceId, HostFault fault);

    /**
     * As {@link #injectFault(String, HostFault)}, for the process of a group.
     *
     * @throws DriverException ENOENT also if the group has no process of its own on the device
     */
    void injectFault(String deviceId, String group, HostFault fault);
  }

  /**
   * The configuration of a device by the administrator.
   *
   * @param id id of the device
   * @param seed the device of the driver
   * @param tier 1 in the JVM, 2 in a process of its own
   * @param enabled whether the device is open
   * @param isolation assignment of contexts to processes of the driver
   * @param settings every key of the driver's schema, normalised
   */
  record DeviceSpec(
      String id,
      DeviceSeed seed,
      int tier,
      boolean enabled,
      Isolation isolation,
      Map<String, String> settings) {
    public DeviceSpec {
      settings = Map.copyOf(settings);
    }

    /** With the driver's choice of isolation, {@link Isolation#AUTO}. */
    public DeviceSpec(
        String id, DeviceSeed seed, int tier, boolean enabled, Map<String, String> settings) {
      this(id, seed, tier, enabled, Isolation.AUTO, settings);
    }
  }

  /**
   * The state of a device.
   *
   * @param id id of the device
   * @param state state of the device
   * @param error reason of a failure; empty without an error
   * @param epoch number of openings
   * @param hostPid process id of the driver host, if any
   * @param standbyPid process id of the warm standby, if any
   * @param info present while the device is open
   * @param services names of published services
   * @param interfaces negotiated driver interfaces, one line each
   * @param sandbox applied and missing parts of the sandbox, one line each; empty without a process
   * @param running present while the device is open
   */
  record DeviceReport(
      String id,
      DeviceState state,
      String error,
      int epoch,
      Optional<Long> hostPid,
      Optional<Long> standbyPid,
      Optional<DeviceInfo> info,
      List<String> services,
      List<String> interfaces,
      List<String> sandbox,
      Optional<Running> running) {
    public DeviceReport {
      services = List.copyOf(services);
      interfaces = List.copyOf(interfaces);
      sandbox = List.copyOf(sandbox);
    }

    /** A device without a process of its own, with the requested settings. */
    public DeviceReport(
        String id,
        DeviceState state,
        String error,
        int epoch,
        Optional<Long> hostPid,
        Optional<Long> standbyPid,
        Optional<DeviceInfo> info,
        List<String> services,
        List<String> interfaces) {
      this(
          id,
          state,
          error,
          epoch,
          hostPid,
          standbyPid,
          info,
          services,
          interfaces,
          List.of(),
          Optional.empty());
    }
  }

  /**
   * Configuration and driver of an open device.
   *
   * @param spec settings in force: the requested settings, unless these were refused
   * @param version the driver's own version text
   * @param source symbolic name and version of the bundle with this driver
   * @param rollback reason if the version is not the newest; empty otherwise
   * @param isolation the mode in force, instead of {@link Isolation#AUTO}
   * @param hosts the driver's processes
   */
  record Running(
      DeviceSpec spec,
      String version,
      String source,
      String rollback,
      Isolation isolation,
      List<DeviceHost> hosts) {
    public Running {
      hosts = List.copyOf(hosts);
    }

    /** A device without processes of groups. */
    public Running(DeviceSpec spec, String version, String source, String rollback) {
      this(spec, version, source, rollback, Isolation.SHARED, List.of());
    }
  }
}
