package io.isle.apps.chaos.fault;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One device with its settings: tree, administration, files and faults of a node in one. Methods
 * are found by {@code Partial}.
 */
final class FakeNode {
  static final String ID = "soft0";

  /** What was asked of it. */
  final List<String> calls = new ArrayList<>();

  final Map<String, String> settings = new HashMap<>(Map.of("memory_bytes", "16m"));

  DeviceState state = DeviceState.ACTIVE;
  String driver = "soft";
  String error = "";
  int tier = 2;
  int epoch = 1;

  /** What follows when a fault is injected. */
  Runnable onFault = () -> {};

  /** Whether a bad value is taken. */
  boolean careless;

  /** With what a call of the administration fails; 0 for not at all. */
  int code;

  Optional<DeviceNode> find(String id) {
    return Optional.of(
        new DeviceNode(
            id,
            driver,
            "1",
            tier,
            state,
            error,
            DeviceClass.GPU_COMPUTE,
            Optional.empty(),
            epoch,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            List.of(),
            List.of()));
  }

  Map<String, String> settings(String id) {
    return Map.copyOf(settings);
  }

  void configure(String id, Map<String, String> changes) {
    call("configure " + changes);
    if (!careless && changes.containsValue("much")) {
      throw new DeviceException(Errno.EINVAL, "memory_bytes: 'much'");
    }
    tier = Integer.parseInt(changes.getOrDefault("tier", Integer.toString(tier)));
    settings.putAll(changes);
  }

  /** An edit of the file. */
  void set(String pid, Map<String, String> changes) {
    calls.add("set " + pid + " " + changes);
    if (!careless && changes.containsValue("much")) {
      error = "memory_bytes: 'much'";
    } else {
      error = "";
      settings.putAll(changes);
    }
  }

  void reload(String id) {
    call("reload");
    state = DeviceState.ACTIVE;
    epoch++;
  }

  void reset(String id) {
    call("reset");
    epoch++;
  }

  void suspend(String id) {
    call("suspend");
    state = DeviceState.SUSPENDED;
  }

  void resume(String id) {
    if (state != DeviceState.SUSPENDED) {
      throw new DeviceException(Errno.EINVAL, "it is not suspended");
    }
    call("resume");
    state = DeviceState.ACTIVE;
  }

  void inject(String id, String fault, long after, long count, long value) {
    calls.add("inject " + fault);
    onFault.run();
  }

  void injectFault(String id, HostFault fault) {
    call("inject " + fault);
    onFault.run();
  }

  private void call(String what) {
    if (code != 0) {
      throw new DeviceException(code, what + " fails");
    }
    calls.add(what);
  }
}
