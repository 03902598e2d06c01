package io.isle.inference.engine;

import io.isle.api.base.ConfigFiles;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Settings files in memory; none is of an instance. */
final class MapFiles implements ConfigFiles {
  final Map<String, Map<String, String>> files = new ConcurrentHashMap<>();

  @Override
  public Optional<Map<String, String>> read(String pid) {
    return Optional.ofNullable(files.get(pid));
  }

  @Override
  public void set(String pid, Map<String, String> changes) {
    Map<String, String> now = new HashMap<>(files.getOrDefault(pid, Map.of()));
    now.putAll(changes);
    files.put(pid, Map.copyOf(now));
  }

  @Override
  public Map<String, Map<String, String>> instances(String factoryPid) {
    return Map.of();
  }

  @Override
  public boolean delete(String pid) {
    return files.remove(pid) != null;
  }
}
