package io.isle.net.apps;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counters that one thread writes and any thread reads. */
final class Tally {
  private final List<String> names;
  private final AtomicLongArray values;

  Tally(String... names) {
    this.names = List.of(names);
    this.values = new AtomicLongArray(names.length);
  }

  void add(int index, long count) {
    values.setRelease(index, values.getPlain(index) + count);
  }

  long get(int index) {
    return values.getAcquire(index);
  }

  /** Further counters of the caller may be put into the map. */
  Map<String, Long> map() {
    Map<String, Long> map = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      map.put(names.get(i), get(i));
    }
    return map;
  }
}
