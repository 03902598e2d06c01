package io.isle.net.ports.port;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets calls through until it is closed, and tells who has to release what the calls use: whoever
 * closes, or the last call. Calls may stand inside others. Thread-safe; allocates nothing.
 */
final class CallGate {
  private static final int CLOSED = 1 << 31;

  /** Calls inside, and whether the gate is closed. */
  private final AtomicInteger state = new AtomicInteger();

  /** Begins a call; false if the gate is closed. */
  boolean enter() {
    int now = state.get();
    while (now >= 0) {
      if (state.compareAndSet(now, now + 1)) {
        return true;
      }
      now = state.get();
    }
    return false;
  }

  /**
   * Ends a call.
   *
   * @return whether the caller has to release
   */
  boolean leave() {
    return state.decrementAndGet() == CLOSED;
  }

  /**
   * Lets no further call through; idempotent.
   *
   * @return whether the caller has to release
   */
  boolean close() {
    return state.getAndUpdate(now -> now | CLOSED) == 0;
  }

  boolean isClosed() {
    return state.get() < 0;
  }
}
