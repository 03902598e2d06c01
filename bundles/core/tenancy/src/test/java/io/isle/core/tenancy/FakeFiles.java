package io.isle.core.tenancy;

import io.isle.api.base.ConfigFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Settings files in memory, and what whoever watches their folder has seen of them. */
final class FakeFiles implements ConfigFiles {
  private static final String PREFIX = GroupSettings.FACTORY_PID + "-";

  private final Map<String, Map<String, String>> files = new ConcurrentSkipListMap<>();
  private final Map<String, Map<String, String>> seen = new ConcurrentSkipListMap<>();

  /** Whether the disk is full. */
  volatile boolean full;

  /** Whether nobody can be asked what was seen. */
  volatile boolean unreadable;

  /** How many writes are followed by an older state of the file, which was read before. */
  final AtomicInteger overtaken = new AtomicInteger();

  /** As an editor leaves it, and seen: keys and values in turn. */
  void edit(String group, String... keys) {
    editUnseen(group, keys);
    seen.put(PREFIX + group, files.get(PREFIX + group));
  }

  /** As an editor leaves it, before that is seen. */
  void editUnseen(String group, String... keys) {
    Map<String, String> file = new TreeMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      file.put(keys[i], keys[i + 1]);
    }
    files.put(PREFIX + group, file);
  }

  void remove(String group) {
    removeUnseen(group);
    seen.remove(PREFIX + group);
  }

  void removeUnseen(String group) {
    files.remove(PREFIX + group);
  }

  Map<String, String> file(String group) {
    return files.get(PREFIX + group);
  }

  @Override
  public Optional<Map<String, String>> read(String pid) {
    return Optional.ofNullable(files.get(pid)).map(Map::copyOf);
  }

  @Override
  public void set(String pid, Map<String, String> changes) {
    refuse();
    Map<String, String> file = new TreeMap<>(files.getOrDefault(pid, Map.of()));
    file.putAll(changes);
    file.values().removeIf(value -> value == null);
    files.put(pid, file);
    if (overtaken.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      seen.put(pid, file);
    }
  }

  @Override
  public Map<String, Map<String, String>> instances(String factoryPid) {
    if (unreadable) {
      throw new IllegalStateException("it is being replaced");
    }
    Map<String, Map<String, String>> all = new TreeMap<>();
    seen.forEach((pid, file) -> all.put(pid.substring(PREFIX.length()), Map.copyOf(file)));
    return all;
  }

  @Override
  public boolean delete(String pid) {
    refuse();
    boolean known = seen.remove(pid) != null;
    return files.remove(pid) != null || known;
  }

  private void refuse() {
    if (full) {
      throw new UncheckedIOException(new IOException("No space left on device"));
    }
  }
}
