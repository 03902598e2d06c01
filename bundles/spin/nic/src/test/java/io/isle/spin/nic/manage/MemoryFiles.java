package io.isle.spin.nic.manage;

import io.isle.api.base.ConfigFiles;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Settings files in memory. Thread-safe. */
final class MemoryFiles implements ConfigFiles {
  private final Map<String, Map<String, String>> files = new TreeMap<>();

  @Override
  public synchronized Optional<Map<String, String>> read(String pid) {
    return Optional.ofNullable(files.get(pid));
  }

  @Override
  public synchronized void set(String pid, Map<String, String> changes) {
    Map<String, String> now = files.computeIfAbsent(pid, any -> new HashMap<>());
    now.putAll(changes);
    boolean ignored = now.values().removeIf(value -> value == null);
  }

  @Override
  public synchronized Map<String, Map<String, String>> instances(String factoryPid) {
    Map<String, Map<String, String>> all = new TreeMap<>();
    files.forEach(
        (pid, given) -> {
          if (pid.startsWith(factoryPid + "-")) {
            all.put(pid.substring(factoryPid.length() + 1), Map.copyOf(given));
          }
        });
    return all;
  }

  @Override
  public synchronized boolean delete(String pid) {
    return files.remove(pid) != null;
  }
}
