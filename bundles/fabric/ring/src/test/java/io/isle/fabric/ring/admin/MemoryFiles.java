package io.isle.fabric.ring.admin;

import io.isle.api.base.ConfigFiles;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Files in memory; one of them cannot be written. Thread-safe. */
public final class MemoryFiles implements ConfigFiles {
  final Map<String, Map<String, String>> files = new TreeMap<>();
  String broken = "";

  @Override
  public synchronized Optional<Map<String, String>> read(String pid) {
    return Optional.ofNullable(files.get(pid));
  }

  @Override
  public synchronized void set(String pid, Map<String, String> changes) {
    if (pid.equals(broken)) {
      throw new IllegalStateException("disk full");
    }
    Map<String, String> now = files.computeIfAbsent(pid, any -> new HashMap<>());
    now.putAll(changes);
    boolean ignored = now.values().removeIf(value -> value == null);
  }

  @Override
  public synchronized Map<String, Map<String, String>> instances(String factoryPid) {
    Map<String, Map<String, String>> all = new TreeMap<>();
    files.forEach(
        (pid, given) -> all.put(pid.substring(factoryPid.length() + 1), Map.copyOf(given)));
    return all;
  }

  @Override
  public synchronized boolean delete(String pid) {
    return files.remove(pid) != null;
  }
}
