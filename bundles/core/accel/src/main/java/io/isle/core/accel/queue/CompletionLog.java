package io.isle.core.accel.queue;

import io.isle.api.accel.CompletionStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How the newest submissions of a context ended: the last four queue depths. Written by the agent;
 * read by any thread, which must check afterwards that the point was not overwritten meanwhile.
 * Allocates nothing.
 */
public final class CompletionLog {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int START = 0;
  private static final int END = 1;
  private static final int BUSY = 2;

  /** Code in the lower 28 bits, outcome in 4, detail in the upper half. */
  private static final int CODE = 3;

  private static final int OUTCOME_SHIFT = 28;

  /**
   * In the place of an outcome: the point has not ended, its low half is in the place of detail.
   */
  private static final int PARTIAL = 15;

  private static final int COMPLETED = 0;
  private static final int FAILED = 1;
  private static final int BUSY_TOTAL = 2;
  private static final int RUNNING = 3;
  private static final int PREEMPTIONS = 4;
  private static final int OVERRUNS = 5;
  private static final int GIVEN = 6;
  private static final int THROTTLED = 7;

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

  /**
   * Agent: a point has ended. Stretches that {@link #addBusy} told of before count too.
   *
   * @param code 0, or a negated code of at least -2^27
   * @param startNs of the last stretch, 0 if there was none
   */
  public void record(
      long point,
      int code,
      CompletionStatus outcome,
      long startNs,
      long endNs,
      long busyNs,
      int detail) {
    stretch(point, startNs, endNs, busyNs);
    LONGS.setRelease(records, at(point) + CODE, word(detail, outcome.code(), code));
    add(COMPLETED, 1);
    if (code != 0) {
      add(FAILED, 1);
    }
  }

  /**
   * Agent: a point that has not ended left the device after a stretch on it, and will go on. Its
   * record has the start of the first stretch, the end of the last and the sum of what all took.
   */
  public void addBusy(long point, long startNs, long endNs, long busyNs) {
    stretch(point, startNs, endNs, busyNs);
    LONGS.setRelease(records, at(point) + CODE, partial(point));
  }

  /** Agent: a point starts over, and its stretches led to nothing; the totals keep them. */
  public void forgetBusy(long point) {
    if (word(point) == partial(point)) {
      LONGS.setRelease(records, at(point) + CODE, word(0, PARTIAL, 0));
    }
  }

  private void stretch(long point, long startNs, long endNs, long busyNs) {
    int at = at(point);
    if (word(point) == partial(point)) {
      records[at + START] = records[at + START] == 0 ? startNs : records[at + START];
      records[at + END] = Math.max(records[at + END], endNs);
      records[at + BUSY] += busyNs;
    } else {
      records[at + START] = startNs;
      records[at + END] = endNs;
      records[at + BUSY] = busyNs;
    }
    add(BUSY_TOTAL, busyNs);
  }

  /** Agent: the context was given so much time of the whole device. */
  public void charged(long ns) {
    add(GIVEN, ns);
  }

  /** Agent: a ceiling has held work of the context back for so long by now, as far as is known. */
  public void throttled(long ns) {
    if (ns > totals[THROTTLED]) {
      LONGS.setOpaque(totals, THROTTLED, ns);
    }
  }

  private static long partial(long point) {
    return word((int) point, PARTIAL, 0);
  }

  private static long word(int detail, int outcome, int code) {
    int low = outcome << OUTCOME_SHIFT | code & (1 << OUTCOME_SHIFT) - 1;
    return (long) detail << 32 | low & 0xffffffffL;
  }

  /** Agent: submissions on the device. */
  public void setRunning(int count) {
    LONGS.setOpaque(totals, RUNNING, (long) count);
  }

  /** Agent: work of the context was taken off the device for others. */
  public void addPreemption() {
    add(PREEMPTIONS, 1);
  }

  public long preemptions() {
    return (long) LONGS.getOpaque(totals, PREEMPTIONS);
  }

  /** Agent: work of the context ran beyond its limit, because the device could not be stopped. */
  public void addOverrun() {
    add(OVERRUNS, 1);
  }

  public long overruns() {
    return (long) LONGS.getOpaque(totals, OVERRUNS);
  }

  public int running() {
    return (int) (long) LONGS.getOpaque(totals, RUNNING);
  }

  public int code(long point) {
    return (int) word(point) << 4 >> 4;
  }

  /** How it ended; null when it has not. */
  CompletionStatus outcome(long point) {
    int outcome = (int) word(point) >>> OUTCOME_SHIFT;
    return outcome == PARTIAL ? null : CompletionStatus.of(outcome);
  }

  public int detail(long point) {
    return (int) (word(point) >> 32);
  }

  public long startNs(long point) {
    return records[at(point) + START];
  }

  public long endNs(long point) {
    return records[at(point) + END];
  }

  public long busyNs(long point) {
    return records[at(point) + BUSY];
  }

  public long completed() {
    return (long) LONGS.getOpaque(totals, COMPLETED);
  }

  public long failed() {
    return (long) LONGS.getOpaque(totals, FAILED);
  }

  public long busyNs() {
    return (long) LONGS.getOpaque(totals, BUSY_TOTAL);
  }

  /** Nanoseconds of the whole device. */
  public long givenNs() {
    return (long) LONGS.getOpaque(totals, GIVEN);
  }

  public long throttledNs() {
    return (long) LONGS.getOpaque(totals, THROTTLED);
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
