package io.isle.core.accel.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The inputs of a {@link SchedulingCore} and its decisions on their way to a journal: written by
 * the core's owner, who neither waits nor allocates, read by one other thread. Once it is full it
 * takes nothing more, for what follows a gap cannot be replayed; it counts what it did not take.
 */
public final class InputRing {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SHIFT = 3;
  private static final int FIELDS = 7;
  private static final int TAIL = 16;
  private static final int HEAD = 32;
  private static final int MISSED = 48;

  private final long[] records;
  private final int mask;

  /** On cache lines of their own. */
  private final long[] words = new long[64];

  /** Takes a record. */
  interface Reader<E extends Exception> {
    /** The numbers mean what {@link Inputs} says; a time is in the caller's clock. */
    void read(int kind, long time, long a, long b, long c, long d, long e) throws E;
  }

  /**
   * @param capacity records, 64 bytes each: a power of two, at least 65536, so that the state of
   *     the largest core fits
   */
  public InputRing(int capacity) {
    if (capacity < 1 << 16 || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(capacity + " is not a power of two of at least 65536");
    }
    records = new long[capacity << SHIFT];
    mask = capacity - 1;
  }

  /** The core. */
  void write(int kind, long time, long a, long b, long c, long d, long e) {
    long tail = words[TAIL];
    if (words[MISSED] > 0 || tail - (long) LONGS.getAcquire(words, HEAD) > mask) {
      LONGS.setOpaque(words, MISSED, words[MISSED] + 1);
      return;
    }
    int n = ((int) tail & mask) << SHIFT;
    records[n] = kind;
    records[n + 1] = time;
    records[n + 2] = a;
    records[n + 3] = b;
    records[n + 4] = c;
    records[n + 5] = d;
    records[n + FIELDS - 1] = e;
    LONGS.setRelease(words, TAIL, tail + 1);
  }

  /** Hands on what is there; returns how many. */
  <E extends Exception> int drain(Reader<E> reader) throws E {
    long head = words[HEAD];
    long tail = (long) LONGS.getAcquire(words, TAIL);
    for (long at = head; at < tail; at++) {
      int n = ((int) at & mask) << SHIFT;
      reader.read(
          (int) records[n],
          records[n + 1],
          records[n + 2],
          records[n + 3],
          records[n + 4],
          records[n + 5],
          records[n + FIELDS - 1]);
    }
    LONGS.setRelease(words, HEAD, tail);
    return (int) (tail - head);
  }

  /** How many it did not take; 0 while it was never full. */
  public long missed() {
    return (long) LONGS.getOpaque(words, MISSED);
  }
}
