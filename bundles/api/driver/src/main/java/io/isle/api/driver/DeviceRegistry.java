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
 * Between the owner of the device tree and settings, who offers this, and the owner of drivers, who
 * calls it: a driver is bound, and the registry says which of its devices shall be open and how.
 */
@ProviderType
public interface DeviceRegistry {
  /**
   * Binds a driver that arrived. {@link DeviceControl#apply} is called for each device that shall
   * be there, now and at each change of settings, on one thread of the registry's.
   *
   * @throws DriverException EEXIST when a driver of that name is bound
   */
  Binding bind(DriverInfo driver, List<DeviceSeed> seeds, DeviceControl control);

  /** Waits until everything that was asked for so far is in force. */
  void settle();

  /** A bound driver. */
  interface Binding extends AutoCloseable {
    /** Reports what became of a device; shown in the tree. */
    void report(DeviceReport report);

    /** The last epoch of a device, so that the next driver counts on; 0 if it was never open. */
    int epoch(String deviceId);

    /**
     * Another version of the driver takes over: {@link DeviceControl#apply} is called anew for each
     * device that shall be there, and {@link DeviceControl#remove} for those that it does not know.
     *
     * @param driver of the same name
     * @throws DriverException EINVAL when the description is bad
     */
    void succeed(DriverInfo driver, List<DeviceSeed> seeds);

    /**
     * The driver goes, and with it the devices that it had found. One with settings of its own
     * stays FAILED, with "no driver ...", until it is back.
     */
    @Override
    void close();
  }

  /** The owner of drivers, as the registry sees it. */
  interface DeviceControl {
    /** Opens, reopens with other settings, or keeps closed ({@code enabled} false). May block. */
    void apply(DeviceSpec spec);

    /** Closes and forgets the device. May block. */
    void remove(String deviceId);

    /** Closes the device in order and opens it anew. May block. */
    void reload(DeviceSpec spec);

    /** As {@link #reload}, but its work is interrupted as after a crash. May block. */
    void reset(DeviceSpec spec);

    /**
     * Keeps pending work and starts nothing more. May block.
     *
     * @throws DriverException ENODEV when it is not open
     */
    void suspend(String deviceId);

    /**
     * Ends {@link #suspend}.
     *
     * @throws DriverException EINVAL when it is not suspended
     */
    void resume(String deviceId);

    /**
     * Harms the driver's process; returns when it is ended or stands still.
     *
     * @throws DriverException ENODEV when the device is not open; ENOTSUP when its settings forbid
     *     faults or its driver has no process of its own
     */
    void injectFault(String deviceId, HostFault fault);

    /**
     * As {@link #injectFault(String, HostFault)}, for the process of a group.
     *
     * @throws DriverException ENOENT also when the group has no process of its own there
     */
    void injectFault(String deviceId, String group, HostFault fault);
  }

  /**
   * What an administrator wants a device to be.
   *
   * @param isolation which contexts share a process of the driver
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

    /** As the driver advises: {@link Isolation#AUTO}. */
    public DeviceSpec(
        String id, DeviceSeed seed, int tier, boolean enabled, Map<String, String> settings) {
      this(id, seed, tier, enabled, Isolation.AUTO, settings);
    }
  }

  /**
   * What a device is.
   *
   * @param error empty if all is well
   * @param info present while open
   * @param interfaces negotiated driver interfaces, a line each
   * @param sandbox what confines the driver's process and what could not be applied, a line each;
   *     empty without a process
   * @param running present while open
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

    /** Without a process of its own, as it was asked for. */
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
   * What an open device runs with.
   *
   * @param spec the settings in force: what was asked for, unless that was refused
   * @param version the driver's version, as it says
   * @param source symbolic name and version of the bundle that brought this version
   * @param rollback why it is not the newest version; empty if it is
   * @param isolation what {@link Isolation#AUTO} has come to
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

    /** Without processes by group. */
    public Running(DeviceSpec spec, String version, String source, String rollback) {
      this(spec, version, source, rollback, Isolation.SHARED, List.of());
    }
  }
}
