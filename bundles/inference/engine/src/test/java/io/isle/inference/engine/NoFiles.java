package io.isle.inference.engine;

import io.isle.api.base.ConfigFiles;
import java.util.Map;
import java.util.Optional;

/** No settings files. */
final class NoFiles implements ConfigFiles {
  @Override
  public Optional<Map<String, String>> read(String pid) {
    return Optional.empty();
  }

  @Override
  public void set(String pid, Map<String, String> changes) {
    throw new UnsupportedOperationException(pid);
  }

  @Override
  public Map<String, Map<String, String>> instances(String factoryPid) {
    return Map.of();
  }

  @Override
  public boolean delete(String pid) {
    return false;
  }
}
