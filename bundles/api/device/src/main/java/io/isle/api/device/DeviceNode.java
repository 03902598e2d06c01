package io.isle.api.device;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of one device in the tree (accelerator framework, 42.3.1). Immutable.
 *
 * @param id driver name and number, such as {@code soft0}
 * @param driver name of the driver
 * @param driverVersion version of the running driver, or else of the newest driver; empty if
 *     unknown
 * @param tier 1: in the JVM; 2: in a process of its own
 * @param state state of the device for its users
 * @param error reason of the state FAILED, or of the refusal of the newest settings; empty without
 *     an error
 * @param deviceClass class of the accelerator
 * @param parent id of the parent, if any
 * @param epoch number of openings of the device
 * @param hostPid process id of the driver host, if any
 * @param standbyPid process id of the warm standby, if ready
 * @param properties {@code device-class}, {@code compute-units}, {@code local-memory-bytes}, {@code
 *     preemption} and more, by name
 * @param services names of published services, such as {@code accel-compute}
 * @param interfaces negotiated driver interfaces, one line each
 * @param sandbox applied parts of the sandbox of the driver's process, and parts that could not be
 *     applied, one line each; empty without a process
 * @param driverSource symbolic name and version of the running driver's bundle; empty while the
 *     device is not open
 * @param rollback reason if the running version of the driver is not the newest; empty otherwise
 * @param isolation SHARED or GROUP while the device is open, else the value of its settings
 * @param hosts the driver's processes; the process of the group "default", or of all groups, is the
 *     first
 */
public record DeviceNode(
    String id,
    String driver,
    String driverVersion,
    int tier,
    DeviceState state,
    String error,
    DeviceClass deviceClass,
    Optional<String> parent,
    int epoch,
    Optional<Long> hostPid,
    Optional<Long> standbyPid,
    Map<String, String> properties,
    List<String> services,
    List<String> interfaces,
    List<String> sandbox,
    String driverSource,
    String rollback,
    Isolation isolation,
    List<DeviceHost> hosts) {
  public DeviceNode {
    hosts = List.copyOf(hosts);
    properties = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(properties));
    services = List.copyOf(services);
    interfaces = List.copyOf(interfaces);
    sandbox = List.copyOf(sandbox);
  }

  /** A device without processes of groups. */
  public DeviceNode(
      String id,
      String driver,
      String driverVersion,
      int tier,
      DeviceState state,
      String error,
      DeviceClass deviceClass,
      Optional<String> parent,
      int epoch,
      Optional<Long> hostPid,
      Optional<Long> standbyPid,
      Map<String, String> properties,
      List<String> services,
      List<String> interfaces,
      List<String> sandbox,
      String driverSource,
      String rollback) {
    this(
        id,
        driver,
        driverVersion,
        tier,
        state,
        error,
        deviceClass,
        parent,
        epoch,
        hostPid,
        standbyPid,
        properties,
        services,
        interfaces,
        sandbox,
        driverSource,
        rollback,
        Isolation.SHARED,
        List.of());
  }

  /** A device without a process of its own, with the newest driver. */
  public DeviceNode(
      String id,
      String driver,
      String driverVersion,
      int tier,
      DeviceState state,
      String error,
      DeviceClass deviceClass,
      Optional<String> parent,
      int epoch,
      Optional<Long> hostPid,
      Optional<Long> standbyPid,
      Map<String, String> properties,
      List<String> services,
      List<String> interfaces) {
    this(
        id,
        driver,
        driverVersion,
        tier,
        state,
        error,
        deviceClass,
        parent,
        epoch,
        hostPid,
        standbyPid,
        properties,
        services,
        interfaces,
        List.of(),
        "",
        "");
  }
}
