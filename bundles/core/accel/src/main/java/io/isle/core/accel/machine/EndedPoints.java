package io.isle.core.accel.machine;

/**
 * Which points of each context have ended. Points may end in any order; {@link #prefix} is the
 * newest of which all before have ended too. Not thread-safe.
 */
final class EndedPoints {
  private final long[] prefix;
  private final int[] mask;

  /** Per context, a bit a slot: ended, but one before has not. */
  private final long[][] early;

  EndedPoints(int contexts) {
    prefix = new long[contexts];
    mask = new int[contexts];
    early = new long[contexts][];
  }

  /**
   * Starts a context anew.
   *
   * @param depth a power of two; points beyond the prefix are fewer than this
   */
  void open(int c, int depth) {
    prefix[c] = 0;
    mask[c] = depth - 1;
    early[c] = new long[(depth + 63) >>> 6];
  }

  void close(int c) {
    early[c] = null;
  }

  long prefix(int c) {
    return prefix[c];
  }

  boolean has(int c, long point) {
    int slot = slot(c, point);
    return point <= prefix[c] || (early[c][slot >>> 6] & (1L << slot)) != 0;
  }

  void end(int c, long point) {
    if (point != prefix[c] + 1) {
      int slot = slot(c, point);
      early[c][slot >>> 6] |= 1L << slot;
      return;
    }
    prefix[c] = point;
    while (takeEarly(c, prefix[c] + 1)) {
      prefix[c]++;
    }
  }

  private boolean takeEarly(int c, long point) {
    int slot = slot(c, point);
    long bit = 1L << slot;
    boolean was = (early[c][slot >>> 6] & bit) != 0;
    early[c][slot >>> 6] &= ~bit;
    return was;
  }

  private int slot(int c, long point) {
    return (int) (point - 1) & mask[c];
  }
}
