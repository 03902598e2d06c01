package io.isle.api.device;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of one device in the tree (accelerator framework, 42.3.1). Immutable.
 *
 * @param id driver name and number, such as {@code soft0}
 * @param driver name of the driver
 * @param driverVersion version of the driver that runs, or else of the newest; empty when it never
 *     said one
 * @param tier 1 in the JVM, 2 in a process of its own
 * @param state what users see
 * @param error why the state is FAILED, or why the newest settings were refused; empty if all is
 *     well
 * @param deviceClass class of the accelerator
 * @param parent id of the parent, if any
 * @param epoch counts the times that the device was opened
 * @param hostPid process of the driver host, if any
 * @param standbyPid process of the warm standby, if one is ready
 * @param properties {@code device-class}, {@code compute-units}, {@code local-memory-bytes}, {@code
 *     preemption} and more, by name
 * @param services names of published services, such as {@code accel-compute}
 * @param interfaces negotiated driver interfaces, one line each
 * @param sandbox what confines the driver's process and what could not be applied, one line each;
 *     empty without a process
 * @param driverSource symbolic name and version of the bundle whose driver runs; empty while it is
 *     not open
 * @param rollback why an older version of the driver runs than the newest; empty if none does
 * @param isolation in force: SHARED or GROUP while it is open, else as its settings say
 * @param hosts the driver's processes, that of the group "default" or of all groups first
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

  /** Without processes by group. */
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

  /** Without a process of its own, and with the newest driver. */
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
