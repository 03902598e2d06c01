package io.isle.core.accel.machine;

/** Contexts that pay back what they overran, each until a time. Not thread-safe. */
final class Delays {
  private final long[] until;
  private final ContextSet delayed;
  private long next = Long.MAX_VALUE;
  private long seen = Long.MIN_VALUE;

  Delays(int contexts) {
    until = new long[contexts];
    delayed = new ContextSet(contexts);
  }

  /** Delays a context until then; whether it was not delayed. */
  boolean add(int c, long then) {
    boolean fresh = !delayed.has(c);
    until[c] = fresh ? then : Math.max(until[c], then);
    delayed.add(c);
    next = Math.min(next, until[c]);
    return fresh;
  }

  void remove(int c) {
    delayed.remove(c);
  }

  /** Takes one whose delay is over; -1 if there is none. A clock that goes back does no harm. */
  int takeDue(long now) {
    if (now < seen) {
      for (int i = 0; i < delayed.size(); i++) {
        until[delayed.get(i)] -= seen - now;
      }
      next = now;
    }
    seen = now;
    if (now < next) {
      return -1;
    }
    next = Long.MAX_VALUE;
    for (int i = 0; i < delayed.size(); i++) {
      int c = delayed.get(i);
      if (until[c] <= now) {
        delayed.remove(c);
        next = now;
        return c;
      }
      next = Math.min(next, until[c]);
    }
    return -1;
  }

  /** Not after the first one's end; {@link Long#MAX_VALUE} if there is none. */
  long next() {
    return delayed.size() == 0 ? Long.MAX_VALUE : next;
  }
}
