package io.isle.core.devices;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last epoch of each device, also of one that is gone: when it comes back, it counts on.
 * Thread-safe.
 */
final class Epochs {
  private final Map<String, Integer> last = new ConcurrentHashMap<>();

  void set(String id, int epoch) {
    last.put(id, epoch);
  }

  /** 0 if it was never open. */
  int of(String id) {
    return last.getOrDefault(id, 0);
  }
}
