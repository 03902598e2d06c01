package io.isle.core.accel.machine;

/**
 * By context, the submission that its device gave back half done, with how long it ran so far: the
 * next one that the context starts. There is at most one, since a context's work runs in order. Not
 * thread-safe.
 */
final class Progress {
  private final long[] point;
  private final long[] ranNs;
  private final long[] chargedNs;

  Progress(int contexts) {
    point = new long[contexts];
    ranNs = new long[contexts];
    chargedNs = new long[contexts];
  }

  /** 0 if there is none. */
  long point(int c) {
    return point[c];
  }

  /** How long all stretches lasted. */
  long ranNs(int c) {
    return ranNs[c];
  }

  /** A stretch of {@code p} is over that lasted {@code ns}. */
  void add(int c, long p, long ns) {
    if (point[c] != p) {
      point[c] = p;
      ranNs[c] = 0;
      chargedNs[c] = 0;
    }
    ranNs[c] += ns;
  }

  /** What all stretches were charged. */
  long chargedNs(int c) {
    return chargedNs[c];
  }

  /** The stretch that was added last was charged so much. */
  void charge(int c, long ns) {
    chargedNs[c] += ns;
  }

  void clear(int c) {
    point[c] = 0;
  }
}
