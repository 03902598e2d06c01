package io.isle.core.accel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How the newest submissions of a context ended: the last four queue depths. Written by the agent;
 * read by any thread, which must check afterwards that the point was not overwritten meanwhile.
 */
final class CompletionLog {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int START = 0;
  private static final int END = 1;
  private static final int BUSY = 2;

  /** Code in the low half, detail in the high half. */
  private static final int CODE = 3;

  private static final int COMPLETED = 0;
  private static final int FAILED = 1;
  private static final int BUSY_TOTAL = 2;
  private static final int RUNNING = 3;

  private final long[] records;
  private final long[] totals = new long[8];
  private final int mask;

  /**
   * @param depth queue depth, a power of two
   */
  CompletionLog(int depth) {
    records = new long[depth * 16];
    mask = depth * 4 - 1;
  }

  /** Points that are remembered. */
  int capacity() {
    return mask + 1;
  }

  /** Agent. */
  void record(long point, int code, long startNs, long endNs, long busyNs, int detail) {
    int at = at(point);
    records[at + START] = startNs;
    records[at + END] = endNs;
    records[at + BUSY] = busyNs;
    LONGS.setRelease(records, at + CODE, ((long) detail << 32) | (code & 0xffffffffL));
    add(COMPLETED, 1);
    if (code != 0) {
      add(FAILED, 1);
    }
    add(BUSY_TOTAL, busyNs);
  }

  /** Agent: submissions on the device. */
  void setRunning(int count) {
    LONGS.setOpaque(totals, RUNNING, (long) count);
  }

  int running() {
    return (int) (long) LONGS.getOpaque(totals, RUNNING);
  }

  int code(long point) {
    return (int) word(point);
  }

  int detail(long point) {
    return (int) (word(point) >> 32);
  }

  long startNs(long point) {
    return records[at(point) + START];
  }

  long endNs(long point) {
    return records[at(point) + END];
  }

  long busyNs(long point) {
    return records[at(point) + BUSY];
  }

  long completed() {
    return (long) LONGS.getOpaque(totals, COMPLETED);
  }

  long failed() {
    return (long) LONGS.getOpaque(totals, FAILED);
  }

  long busyNs() {
    return (long) LONGS.getOpaque(totals, BUSY_TOTAL);
  }

  private long word(long point) {
    return (long) LONGS.getAcquire(records, at(point) + CODE);
  }

  private int at(long point) {
    return ((int) (point - 1) & mask) << 2;
  }

  private void add(int total, long value) {
    LONGS.setOpaque(totals, total, totals[total] + value);
  }
}
