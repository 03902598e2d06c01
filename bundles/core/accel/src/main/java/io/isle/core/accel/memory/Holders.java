package io.isle.core.accel.memory;

import io.isle.api.accel.MemoryPins;
import java.util.HashSet;
import java.util.Set;

/**
 * Who keeps device memory from being freed: its buffers, and its pins on the opening that it lies
 * on. Once the last buffer is closed nobody joins them. Of all calls that say whether nobody is
 * left, one says so: its caller frees. Thread-safe.
 */
final class Holders {
  private final Set<MemoryPins.Pin> pins = new HashSet<>();
  private volatile int buffers;

  /** The last buffer was closed. */
  private boolean closed;

  int buffers() {
    return buffers;
  }

  /** One buffer more; false when the last was closed meanwhile. */
  synchronized boolean retain() {
    if (closed) {
      return false;
    }
    buffers++;
    return true;
  }

  /** One buffer less; whether nobody is left. */
  synchronized boolean release() {
    buffers--;
    closed = buffers == 0;
    return closed && pins.isEmpty();
  }

  /** False when the last buffer was closed. */
  synchronized boolean add(MemoryPins.Pin pin) {
    return !closed && pins.add(pin);
  }

  /** Whether nobody is left; a pin that is not there any more leaves nobody. */
  synchronized boolean remove(MemoryPins.Pin pin) {
    return pins.remove(pin) && closed && pins.isEmpty();
  }

  /** All pins end; whether nobody is left. */
  synchronized boolean clear() {
    boolean some = !pins.isEmpty();
    pins.clear();
    return some && closed;
  }
}
