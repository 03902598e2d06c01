package io.isle.core.accel;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that wait for points of a tenant's timeline, any number. Its points may be any, so that a
 * signal looks at all who wait. Thread-safe.
 */
final class HostWaiters {
  private final Set<Place> places = ConcurrentHashMap.newKeySet();

  /** Where one thread waits; no two are equal. */
  static final class Place {
    private final Thread thread = Thread.currentThread();
    private final long point;

    private Place(long point) {
      this.point = point;
    }
  }

  /** Takes a place; the caller then looks at the timeline once more before it parks. */
  Place enter(long point) {
    Place place = new Place(point);
    places.add(place);
    return place;
  }

  void leave(Place place) {
    places.remove(place);
  }

  void park(long timeoutNs) {
    LockSupport.parkNanos(this, timeoutNs);
  }

  /** After the timeline has moved: wakes those whose point is {@code reached} or earlier. */
  void wake(long reached) {
    if (places.isEmpty()) {
      return;
    }
    for (Place place : places) {
      if (place.point <= reached) {
        LockSupport.unpark(place.thread);
      }
    }
  }
}
