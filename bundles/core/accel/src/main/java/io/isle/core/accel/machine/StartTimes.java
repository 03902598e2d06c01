package io.isle.core.accel.machine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * When work in flight began, as its driver tells: the first telling of a tag counts. Any thread
 * writes, wait-free; the agent reads.
 */
public final class StartTimes {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] tags;
  private final long[] times;

  /**
   * @param capacity tags' index is below this
   */
  public StartTimes(int capacity) {
    tags = new long[capacity];
    times = new long[capacity];
  }

  public void started(long tag, long ns) {
    int index = (int) tag;
    if (index >= 0 && index < tags.length && (long) LONGS.getAcquire(tags, index) != tag) {
      LONGS.setOpaque(times, index, ns);
      LONGS.setRelease(tags, index, tag);
    }
  }

  /** Whether a start was told. */
  boolean has(int index, long tag) {
    return (long) LONGS.getAcquire(tags, index) == tag;
  }

  /** The time that was told. */
  long get(int index) {
    return (long) LONGS.getOpaque(times, index);
  }
}
