package io.isle.fabric.ring.isle;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/** Notices and roll calls that wait for a path; of too many, the oldest are dropped. */
final class NewsQueue {
  private static final int MOST = 64;

  private record Item(int kind, byte[] payload) {}

  private final Deque<Item> items = new ArrayDeque<>();

  void add(int kind, byte[] payload) {
    if (items.size() == MOST) {
      items.remove();
    }
    items.add(new Item(kind, payload));
  }

  /** Composes the next one; returns its bytes, 0 for none. */
  int compose(OwnFrame own, long nowNs) {
    Item item = items.poll();
    if (item == null) {
      return 0;
    }
    int length = item.payload.length;
    MemorySegment.copy(
        item.payload, 0, own.memory, ValueLayout.JAVA_BYTE, OwnFrame.PAYLOAD, length);
    return own.seal(item.kind, length, nowNs);
  }
}
