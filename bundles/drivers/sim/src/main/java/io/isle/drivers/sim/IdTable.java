package io.isle.drivers.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Objects by core id. Looked up by any thread without a lock or an allocation; changed by the
 * control lane, which replaces the whole table.
 */
final class IdTable<T> {
  private static final class Snapshot {
    final long[] ids;
    final Object[] values;

    Snapshot(Map<Long, ?> map) {
      int size = Integer.highestOneBit(Math.max(4, map.size() * 4 - 1));
      ids = new long[size];
      values = new Object[size];
      map.forEach(this::put);
    }

    private void put(Long id, Object value) {
      int at = slot(id, ids.length);
      while (ids[at] != 0) {
        at = (at + 1) & (ids.length - 1);
      }
      ids[at] = id;
      values[at] = value;
    }
  }

  private final Map<Long, T> map = new LinkedHashMap<>();
  private volatile Snapshot snapshot = new Snapshot(Map.of());

  /** The object, or null. */
  @SuppressWarnings("unchecked")
  T get(long id) {
    Snapshot now = snapshot;
    int mask = now.ids.length - 1;
    if (id == 0) {
      return null;
    }
    for (int at = slot(id, now.ids.length); now.ids[at] != 0; at = (at + 1) & mask) {
      if (now.ids[at] == id) {
        return (T) now.values[at];
      }
    }
    return null;
  }

  synchronized void put(long id, T value) {
    map.put(id, value);
    snapshot = new Snapshot(map);
  }

  synchronized void remove(long id) {
    if (map.remove(id) != null) {
      snapshot = new Snapshot(map);
    }
  }

  /** All objects, in the order in which they came. */
  synchronized List<T> values() {
    return List.copyOf(map.values());
  }

  synchronized int size() {
    return map.size();
  }

  private static int slot(long id, int size) {
    return (int) ((id * 0x9e3779b97f4a7c15L) >>> 40) & (size - 1);
  }
}
