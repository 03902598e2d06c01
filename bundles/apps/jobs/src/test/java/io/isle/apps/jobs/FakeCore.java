package io.isle.apps.jobs;

import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Settings files in memory, a tree that has a device for each device file, and planned faults. */
final class FakeCore implements ConfigFiles, DeviceTree {
  final Map<String, Map<String, String>> files = new TreeMap<>();
  final List<String> faults = new ArrayList<>();

  /** What an injected fault does. */
  volatile Consumer<String> onFault = fault -> {};

  /** Settings that cannot be written. */
  volatile String unwritable;

  /** What happens while a file is deleted. */
  volatile Runnable onDelete = () -> {};

  /** A driver whose devices never open. */
  static final String BROKEN = "broken";

  @Override
  public synchronized Optional<Map<String, String>> read(String pid) {
    return Optional.ofNullable(files.get(pid)).map(Map::copyOf);
  }

  @Override
  public synchronized void set(String pid, Map<String, String> changes) {
    refuse(pid);
    Map<String, String> file = files.computeIfAbsent(pid, p -> new LinkedHashMap<>());
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            file.remove(key);
          } else {
            file.put(key, value);
          }
        });
  }

  @Override
  public synchronized Map<String, Map<String, String>> instances(String factoryPid) {
    throw new AssertionError("jobs know the names of their files");
  }

  @Override
  public synchronized boolean delete(String pid) {
    refuse(pid);
    onDelete.run();
    return files.remove(pid) != null;
  }

  private void refuse(String pid) {
    if (pid.equals(unwritable)) {
      throw new UncheckedIOException(new IOException("No space left on device"));
    }
  }

  @Override
  public synchronized List<DeviceNode> nodes() {
    return files.keySet().stream()
        .filter(pid -> pid.startsWith("io.isle.device-"))
        .map(pid -> node(pid.substring("io.isle.device-".length()), files.get(pid)))
        .toList();
  }

  @Override
  public Optional<DeviceNode> find(String id) {
    return nodes().stream().filter(node -> node.id().equals(id)).findFirst();
  }

  @Override
  public Map<String, String> settings(String id) {
    return Map.of();
  }

  private DeviceNode node(String id, Map<String, String> settings) {
    boolean broken = settings.get("driver").equals(BROKEN);
    return new DeviceNode(
        id,
        settings.get("driver"),
        "",
        2,
        broken ? DeviceState.FAILED : DeviceState.ACTIVE,
        broken ? "gone" : "",
        DeviceClass.GPU_COMPUTE,
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(),
        List.of());
  }

  /** As the service of planned faults. */
  synchronized void inject(String device, String fault, long after, long count, long value) {
    faults.add(String.join(" ", device, fault, "" + after, "" + count, "" + value));
    onFault.accept(fault);
  }
}
