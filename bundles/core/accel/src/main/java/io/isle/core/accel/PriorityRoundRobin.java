package io.isle.core.accel;

/** Strict priority; round robin among the contexts of one priority. */
final class PriorityRoundRobin implements Scheduler {
  private static final int PRIORITIES = 4;

  private final int words;
  private final long[] ready;
  private final int[] cursor = new int[PRIORITIES];
  private final int[] count = new int[PRIORITIES];

  /**
   * @param contexts indices are below this
   */
  PriorityRoundRobin(int contexts) {
    words = (contexts + 63) >>> 6;
    ready = new long[words * PRIORITIES];
  }

  @Override
  public void ready(int context, int priority) {
    int word = priority * words + (context >>> 6);
    long bit = 1L << context;
    if ((ready[word] & bit) == 0) {
      ready[word] |= bit;
      count[priority]++;
    }
  }

  @Override
  public void idle(int context, int priority) {
    int word = priority * words + (context >>> 6);
    long bit = 1L << context;
    if ((ready[word] & bit) != 0) {
      ready[word] &= ~bit;
      count[priority]--;
    }
  }

  /** The highest priority of those that are ready; -1 if none is. */
  int highest() {
    for (int priority = PRIORITIES - 1; priority >= 0; priority--) {
      if (count[priority] > 0) {
        return priority;
      }
    }
    return -1;
  }

  @Override
  public boolean hasReady() {
    return (count[0] | count[1] | count[2] | count[3]) != 0;
  }

  @Override
  public int next(long now) {
    for (int priority = PRIORITIES - 1; priority >= 0; priority--) {
      if (count[priority] > 0) {
        int context = after(priority, cursor[priority]);
        cursor[priority] = context + 1;
        return context;
      }
    }
    return -1;
  }

  @Override
  public void charge(int context, long busyNs, long now) {}

  /** The first ready context at or after {@code from}, from the start again behind the last. */
  private int after(int priority, int from) {
    int base = priority * words;
    int word = from >>> 6;
    if (word < words) {
      long bits = ready[base + word] & (-1L << from);
      if (bits != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(bits);
      }
      for (int i = word + 1; i < words; i++) {
        if (ready[base + i] != 0) {
          return (i << 6) + Long.numberOfTrailingZeros(ready[base + i]);
        }
      }
    }
    for (int i = 0; i < words; i++) {
      if (ready[base + i] != 0) {
        return (i << 6) + Long.numberOfTrailingZeros(ready[base + i]);
      }
    }
    return -1;
  }
}
