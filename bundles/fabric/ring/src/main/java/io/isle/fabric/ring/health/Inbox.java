package io.isle.fabric.ring.health;

import io.isle.api.fabric.RingSide;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices and roll calls of a neighbour between the thread that drives its link and the agent. Of
 * too many, the last ones are dropped and counted. Thread-safe.
 *
 * @param <T> what arrives
 */
final class Inbox<T> {
  /** Most items. */
  static final int MOST = 128;

  private final RingSide side;
  private final BlockingQueue<T> items = new ArrayBlockingQueue<>(MOST);
  private final AtomicLong dropped = new AtomicLong();

  Inbox(RingSide side) {
    this.side = side;
  }

  RingSide side() {
    return side;
  }

  void add(T item) {
    if (!items.offer(item)) {
      dropped.getAndIncrement();
    }
  }

  /** The next one; null for none. */
  T poll() {
    return items.poll();
  }

  /** Items that found no room. */
  long dropped() {
    return dropped.get();
  }
}
