package io.isle.core.accel.memory;

import java.util.Map;
import java.util.TreeMap;

/** Ranges of a memory object whose contents are lost; disjoint, never adjacent. Thread-safe. */
public final class LostRanges {
  /** End by start. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  synchronized boolean isEmpty() {
    return ranges.isEmpty();
  }

  synchronized void add(long offset, long length) {
    long start = offset;
    long end = offset + length;
    Map.Entry<Long, Long> before = ranges.floorEntry(end);
    while (before != null && before.getValue() >= start) {
      start = Math.min(start, before.getKey());
      end = Math.max(end, before.getValue());
      ranges.remove(before.getKey());
      before = ranges.floorEntry(end);
    }
    ranges.put(start, end);
  }

  public synchronized void remove(long offset, long length) {
    long end = offset + length;
    Map.Entry<Long, Long> last = ranges.lowerEntry(end);
    while (last != null && last.getValue() > offset) {
      ranges.remove(last.getKey());
      if (last.getValue() > end) {
        ranges.put(end, last.getValue());
      }
      if (last.getKey() < offset) {
        ranges.put(last.getKey(), offset);
        return;
      }
      last = ranges.lowerEntry(end);
    }
  }

  public synchronized boolean intersects(long offset, long length) {
    Map.Entry<Long, Long> before = ranges.lowerEntry(offset + length);
    return before != null && before.getValue() > offset;
  }
}
