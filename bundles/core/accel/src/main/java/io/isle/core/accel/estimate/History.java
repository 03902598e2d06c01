package io.isle.core.accel.estimate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a context's submissions took that ended well. Written by the agent, read by the submitting
 * thread and any other, which may see what was true a moment ago. Allocates nothing.
 */
final class History {
  /** What the first submission of a context is thought to take, as the scheduler does. */
  static final long FIRST_NS = 1_000_000;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Each submission moves the mean by an eighth of the difference. */
  private static final int MOVE = 3;

  /** Kinds of work that are remembered, in sets of four by key, the newest first. */
  private static final int KINDS = 64;

  private static final int WAYS = 4;
  private static final int SET_BITS = 4;
  private static final int LAST = KINDS;
  private static final int MEAN = KINDS + 1;
  private static final int LINE = 8;

  /**
   * By kind of work, its key in the upper half and 16 times a logarithm; then last and mean, with a
   * cache line behind them.
   */
  private final long[] numbers = new long[KINDS + 2 + LINE];

  /** Agent: one has ended. */
  void add(long ns) {
    long mean = numbers[MEAN];
    LONGS.setOpaque(numbers, MEAN, mean == 0 ? ns : mean + (ns - mean >> MOVE));
    LONGS.setOpaque(numbers, LAST, ns);
  }

  /** Agent: it was of this kind, which is the newest of its set now. */
  void add(int key, int log) {
    int first = first(key);
    int way = 0;
    while (way < WAYS - 1 && (int) (numbers[first + way] >>> Integer.SIZE) != key) {
      way++;
    }
    for (; way > 0; way--) {
      LONGS.setOpaque(numbers, first + way, numbers[first + way - 1]);
    }
    LONGS.setOpaque(numbers, first, (long) key << Integer.SIZE | log);
  }

  long meanNs() {
    long mean = (long) LONGS.getOpaque(numbers, MEAN);
    return mean == 0 ? FIRST_NS : mean;
  }

  long lastNs() {
    long last = (long) LONGS.getOpaque(numbers, LAST);
    return last == 0 ? FIRST_NS : last;
  }

  /** 16 times the logarithm of what the last one of this kind took; {@code none} if unknown. */
  int last(int key, int none) {
    int first = first(key);
    for (int way = 0; way < WAYS; way++) {
      long found = (long) LONGS.getOpaque(numbers, first + way);
      if ((int) (found >>> Integer.SIZE) == key && found != 0) {
        return (int) found;
      }
    }
    return none;
  }

  private static int first(int key) {
    return (key >>> Integer.SIZE - SET_BITS) * WAYS;
  }
}
