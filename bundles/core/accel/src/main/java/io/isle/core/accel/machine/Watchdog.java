package io.isle.core.accel.machine;

import java.util.Arrays;

/**
 * Bounds the time of each submission on the engine (accelerator framework, 42.3.7, 45.6). Pure: no
 * thread, clock or I/O. One that is over its context's limit is due for the first {@link Step}, and
 * for the next one each time that it has not ended within the grace. A scan looks at every index
 * once.
 *
 * <p>The limit counts from the start that the driver told. While no work in flight has one, it
 * counts for the submission that was dispatched first, from there or from the device's last
 * completion. Not thread-safe.
 */
public final class Watchdog {
  /** What is done about a submission that is over its limit, in this order. */
  public enum Step {
    NONE,
    PREEMPT,
    RESET_CONTEXT,
    RESET_DEVICE,
    GIVE_UP;

    private static final Step[] ALL = values();
  }

  private static final long LEAST_LOOK_NS = 100_000;

  private final InFlightTable inFlight;
  private final StartTimes starts;
  private final long[] limitNs;
  private final long[] dispatchedAt;

  /** How long it had run before, by index. */
  private final long[] ranNs;

  private final long[] dueAt;
  private final byte[] step;
  private final int[] due;
  private int dueCount;
  private long lastCompletion;
  private long nextScan = Long.MAX_VALUE;

  public Watchdog(int contexts, InFlightTable inFlight, StartTimes starts) {
    this.inFlight = inFlight;
    this.starts = starts;
    limitNs = new long[contexts];
    dispatchedAt = new long[inFlight.capacity()];
    ranNs = new long[inFlight.capacity()];
    dueAt = new long[inFlight.capacity()];
    step = new byte[inFlight.capacity()];
    due = new int[inFlight.capacity()];
  }

  /**
   * A context comes.
   *
   * @param limit of each of its submissions in nanoseconds; 0 for none
   */
  public void onOpen(int c, long limit) {
    limitNs[c] = limit;
  }

  /**
   * A submission starts, or goes on.
   *
   * @param ran how long it had run before
   */
  public void onDispatch(int index, long now, long ran) {
    dispatchedAt[index] = now;
    ranNs[index] = ran;
    step[index] = 0;
    if (limitNs[inFlight.context(index)] > 0) {
      nextScan = Math.min(nextScan, now + look(index, limit(index)));
    }
  }

  /** Of this stretch. */
  private long limit(int index) {
    return Math.max(1, limitNs[inFlight.context(index)] - ranNs[index]);
  }

  /** By how much a submission that ran for so long in all is over its limit. */
  public long overrunNs(int index, long ran) {
    long limit = limitNs[inFlight.context(index)];
    return limit == 0 ? 0 : Math.max(0, ranNs[index] + ran - limit);
  }

  public void onCompletion(long now) {
    lastCompletion = now;
  }

  /** Another device: nothing is in flight. */
  public void onDevice() {
    Arrays.fill(step, (byte) 0);
    nextScan = Long.MAX_VALUE;
  }

  /** Before this time a {@link #scan} finds nothing. */
  public long nextScan() {
    return nextScan;
  }

  /**
   * Finds the submissions that are due for their next step.
   *
   * @param grace time from one step to the next
   * @return how many, for {@link #due}
   */
  public int scan(long now, long grace) {
    dueCount = 0;
    nextScan = Long.MAX_VALUE;
    int first = firstWithoutStart();
    for (int i = 0; i < inFlight.capacity(); i++) {
      int c = inFlight.context(i);
      if (c >= 0 && limitNs[c] > 0) {
        scan(i, limit(i), i == first, now, grace);
      }
    }
    return dueCount;
  }

  private void scan(int i, long limit, boolean first, long now, long grace) {
    long at = step[i] > 0 ? dueAt[i] : deadline(i, limit, first, now);
    if (at - now > 0) {
      // one without a deadline may start at any time, so that it has one at the earliest then
      nextScan = Math.min(nextScan, Math.min(at, now + look(i, limit)));
    } else if (step[i] < Step.GIVE_UP.ordinal()) {
      step[i]++;
      dueAt[i] = now + grace;
      nextScan = Math.min(nextScan, dueAt[i]);
      due[dueCount++] = i;
    }
  }

  /**
   * When to look again for the start of what is on the device: before its limit is over. Of what
   * went on with next to nothing of its limit left, not over and over.
   */
  private long look(int i, long limit) {
    return Math.max(limit, Math.min(limitNs[inFlight.context(i)], LEAST_LOOK_NS));
  }

  private long deadline(int i, long limit, boolean first, long now) {
    if (starts.has(i, inFlight.tag(i))) {
      // a start that is yet to come is no start
      boolean begun = starts.get(i) - now <= 0;
      return (begun ? Math.max(dispatchedAt[i], starts.get(i)) : dispatchedAt[i]) + limit;
    }
    return first ? Math.max(dispatchedAt[i], lastCompletion) + limit : Long.MAX_VALUE;
  }

  /** The index that was dispatched first; -1 when the driver told a start of one. */
  private int firstWithoutStart() {
    int first = -1;
    for (int i = 0; i < inFlight.capacity(); i++) {
      if (inFlight.context(i) >= 0) {
        if (starts.has(i, inFlight.tag(i))) {
          return -1;
        }
        if (first < 0 || dispatchedAt[i] - dispatchedAt[first] < 0) {
          first = i;
        }
      }
    }
    return first;
  }

  /** What is due, after the first step, is not done: it is due again after the grace. */
  public void postpone(int index) {
    step[index]--;
  }

  /** Index of a submission that the last scan found. */
  public int due(int i) {
    return due[i];
  }

  /** What is to be done about it now. */
  public Step step(int index) {
    return Step.ALL[step[index]];
  }
}
