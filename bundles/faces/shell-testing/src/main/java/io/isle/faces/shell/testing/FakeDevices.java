package io.isle.faces.shell.testing;

import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.HostFault;
import io.isle.api.device.Isolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Devices of a test; remembers what was asked of them. */
public final class FakeDevices implements DeviceTree, DeviceAdmin {
  public final List<DeviceNode> nodes = new ArrayList<>();
  private Optional<Long> hostPid = Optional.of(42L);
  private List<DeviceHost> hosts = List.of();
  public final List<String> asked = new ArrayList<>();
  public final Map<String, String> settings = new HashMap<>(Map.of("tier", "2"));

  public FakeDevices add(String id, DeviceState state, String error, String parent) {
    nodes.add(
        new DeviceNode(
            id,
            id.replaceAll("[0-9]+", ""),
            "1.0",
            2,
            state,
            error,
            DeviceClass.GPU_COMPUTE,
            Optional.ofNullable(parent),
            3,
            hostPid,
            Optional.of(43L),
            Map.of("local-memory-bytes", "67108864", "compute-units", "2"),
            List.of("accel-compute"),
            List.of("accel-base 1.0"),
            List.of("seccomp: applied", "landlock: not applied: ENOSYS"),
            "io.isle.drivers.soft 0.0.9",
            "0.1.0 does not open",
            hosts.isEmpty() ? Isolation.SHARED : Isolation.GROUP,
            hosts));
    return this;
  }

  /** Groups have processes of their own. */
  public void withGroups() {
    hosts = List.of(new DeviceHost("default", 42), new DeviceHost("a", 44));
    nodes.clear();
    add("soft0", DeviceState.ACTIVE, "", null);
  }

  /** All run in the platform's process. */
  public void withoutHost() {
    hostPid = Optional.empty();
    nodes.clear();
    add("soft0", DeviceState.ACTIVE, "", null);
  }

  @Override
  public List<DeviceNode> nodes() {
    return nodes;
  }

  @Override
  public Optional<DeviceNode> find(String id) {
    return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
  }

  @Override
  public Map<String, String> settings(String id) {
    return settings;
  }

  @Override
  public void configure(String id, Map<String, String> changes) {
    asked.add(id + " " + changes);
  }

  @Override
  public void reload(String id) {
    asked.add("reload " + id);
  }

  @Override
  public void reset(String id) {
    asked.add("reset " + id);
  }

  @Override
  public void suspend(String id) {
    asked.add("suspend " + id);
  }

  @Override
  public void resume(String id) {
    asked.add("resume " + id);
  }

  @Override
  public void injectFault(String id, HostFault fault) {
    asked.add(fault + " " + id);
  }

  @Override
  public void injectFault(String id, String group, HostFault fault) {
    asked.add(fault + " " + id + " " + group);
  }
}
