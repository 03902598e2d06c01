package com.example.jdemo;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** Objects by core id. Any thread may read, without lock or allocation; one thread may write. */
final class IdTable<T> {
  private record Snapshot(long[] ids, Object[] values) {}

  private final TreeMap<Long, T> objects = new TreeMap<>();
  private volatile Snapshot snapshot = new Snapshot(new long[0], new Object[0]);

  /** The object with this id, or null. */
  @SuppressWarnings("unchecked")
  T get(long id) {
    Snapshot now = snapshot;
    int at = Arrays.binarySearch(now.ids, id);
    return at < 0 ? null : (T) now.values[at];
  }

  void put(long id, T object) {
    objects.put(id, object);
    publish();
  }

  void remove(long id) {
    objects.remove(id);
    publish();
  }

  Collection<T> all() {
    return List.copyOf(objects.values());
  }

  int size() {
    return objects.size();
  }

  private void publish() {
    long[] ids = objects.keySet().stream().mapToLong(Long::longValue).toArray();
    snapshot = new Snapshot(ids, objects.values().toArray());
  }
}
