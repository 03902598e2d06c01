package io.isle.fabric.impair;

import java.util.concurrent.atomic.AtomicLongArray;

/** The counters of a relay. The relay's thread writes; any thread reads. */
final class Tally {
  /** What is counted. */
  enum Event {
    PASSED,
    BYTES,
    LOST,
    DUPLICATED,
    REORDERED,
    CORRUPTED,
    SWALLOWED,
    OVERFLOWED,
    CUTS
  }

  private final AtomicLongArray counts = new AtomicLongArray(Event.values().length);

  void add(Event event, long amount) {
    counts.setRelease(event.ordinal(), counts.getPlain(event.ordinal()) + amount);
  }

  void add(Event event) {
    add(event, 1);
  }

  long get(Event event) {
    return counts.getAcquire(event.ordinal());
  }
}
