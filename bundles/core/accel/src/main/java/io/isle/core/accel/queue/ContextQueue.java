package io.isle.core.accel.queue;

import io.isle.api.base.Errno;
import io.isle.core.accel.estimate.ContextEstimates;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.fence.HostPoints;
import io.isle.core.accel.usage.WaitTimes;
import java.util.Arrays;

/**
 * A context's queue as its submitting thread and the agent share it: the slot of a point holds the
 * envelope's length and its waits, written before {@link PointTimeline#publish}. What only the
 * agent needs and writes for every point lies elsewhere: it would take the cache line from the
 * other.
 */
public final class ContextQueue {
  public static final int MAX_WAITS = 8;

  public final long contextId;
  public final PointTimeline timeline;
  public final CompletionLog log;
  public final WaitTimes waits;
  public final Waiters waiters;
  public final ContextEstimates estimates;
  public volatile Notifier notifier;

  private final long base;
  private final int slotBytes;
  private final int mask;
  private final int[] lengths;
  private final int[] stamps;
  private final boolean[] replayable;
  private final int[] waitCounts;
  private final FenceSource[] waitSources;
  private final long[] waitPoints;

  /** When the waits of a point have lasted too long; Long.MAX_VALUE for never. */
  private final long[] waitLimits;

  /**
   * What the end of a point signals, or null. There are two slots for each of the queue's, so that
   * it can still be read when the point has ended and its slot is taken again.
   */
  private final HostPoints[] signalTargets;

  private final long[] signalPoints;

  /** Whether a submission ever signalled anything. */
  private boolean signals;

  /**
   * @param base offset of the first slot in the command segment
   * @param slotBytes bytes of a slot
   * @param depth slots, a power of two
   */
  public ContextQueue(long contextId, PointTimeline timeline, long base, int slotBytes, int depth) {
    this.contextId = contextId;
    this.timeline = timeline;
    this.log = timeline.log();
    this.waits = new WaitTimes(depth);
    this.waiters = new Waiters(timeline, depth);
    this.estimates = new ContextEstimates(depth);
    this.base = base;
    this.slotBytes = slotBytes;
    this.mask = depth - 1;
    this.lengths = new int[depth];
    this.stamps = new int[depth];
    this.replayable = new boolean[depth];
    this.waitCounts = new int[depth];
    this.waitSources = new FenceSource[depth * MAX_WAITS];
    this.waitPoints = new long[depth * MAX_WAITS];
    this.waitLimits = new long[depth];
    Arrays.fill(waitLimits, Long.MAX_VALUE);
    this.signalTargets = new HostPoints[depth * 2];
    this.signalPoints = new long[depth * 2];
  }

  public int depth() {
    return mask + 1;
  }

  /** Offset of the point's envelope in the command segment. */
  public long offset(long point) {
    return base + (long) slot(point) * slotBytes;
  }

  public int length(long point) {
    return lengths[slot(point)];
  }

  public boolean hasWaits(long point) {
    return waitCounts[slot(point)] > 0;
  }

  /** Tells which openings of the device the submission was admitted for. */
  public int stamp(long point) {
    return stamps[slot(point)];
  }

  /** Agent: whether the submission may start again; true at most once. */
  public boolean takeReplay(long point) {
    int slot = slot(point);
    boolean may = replayable[slot];
    replayable[slot] = false;
    return may;
  }

  /**
   * Submitting thread: describes the envelope of the next point.
   *
   * @param stamp of the context's state that it was admitted in
   * @param replay whether it may start again after a crash
   */
  public void describe(long point, int length, int waits, int stamp, boolean replay) {
    int slot = slot(point);
    lengths[slot] = length;
    stamps[slot] = stamp;
    replayable[slot] = replay;
    waitCounts[slot] = waits;
  }

  /** Submitting thread: wait {@code index} of the next point. */
  public void setWait(long point, int index, FenceSource source, long awaited) {
    int at = slot(point) * MAX_WAITS + index;
    waitSources[at] = source;
    waitPoints[at] = awaited;
  }

  /**
   * Submitting thread: how long the next point may wait, and what its end signals.
   *
   * @param limit CLOCK_MONOTONIC in nanoseconds; Long.MAX_VALUE for none
   * @param target null for none
   */
  public void setFences(long point, long limit, HostPoints target, long signalPoint) {
    waitLimits[slot(point)] = limit;
    if (target != null) {
      signals = true;
    }
    if (signals) {
      signalTargets[signalSlot(point)] = target;
      signalPoints[signalSlot(point)] = signalPoint;
    }
  }

  public int waitCount(long point) {
    return waitCounts[slot(point)];
  }

  /** Wait {@code index}, below {@link #waitCount}: of what. */
  public FenceSource waitSource(long point, int index) {
    return waitSources[slot(point) * MAX_WAITS + index];
  }

  /** Wait {@code index}: up to where. */
  public long waitPoint(long point, int index) {
    return waitPoints[slot(point) * MAX_WAITS + index];
  }

  public long waitLimit(long point) {
    return waitLimits[slot(point)];
  }

  /**
   * Agent: what has become of the submission's waits.
   *
   * @return 0 when all are over; -EINPROGRESS; else the code that the submission ends with
   */
  public int waits(long point, long now) {
    int slot = slot(point);
    int first = slot * MAX_WAITS;
    int state = 0;
    for (int i = first; i < first + waitCounts[slot]; i++) {
      int outcome = waitSources[i].outcome(waitPoints[i], now);
      if (outcome == -Errno.EINPROGRESS) {
        state = outcome;
      } else if (outcome != 0) {
        return outcome;
      }
    }
    boolean late = waitLimits[slot] != Long.MAX_VALUE && now - waitLimits[slot] >= 0;
    return state != 0 && late ? -Errno.ETIMEDOUT : state;
  }

  /**
   * Agent, each time that the timeline advanced, after a full fence: signals what the ends of these
   * points stand for, and tells of them, but for threads that wait.
   */
  public void tell(long first, long last) {
    if (signals) {
      for (long point = first; point <= last; point++) {
        signal(point, log.code(point));
      }
    }
    ring();
  }

  /** After the timeline was sealed and a full fence: as {@link #tell}, and wakes who waits. */
  public void tellSealed() {
    while (Waiters.mayBeMore(waiters.wake(1))) {
      Thread.onSpinWait();
    }
    ring();
    signalSealed();
  }

  /** Something was submitted after the timeline was sealed. */
  public void tellLate() {
    signalSealed();
    Notifier listening = notifier;
    if (listening != null) {
      listening.tellLate();
    }
  }

  /** The timeline was sealed: signals what the agent has not ended. */
  private void signalSealed() {
    long last = timeline.submitted();
    if (signals) {
      for (long point = timeline.recorded() + 1; point <= last; point++) {
        signal(point, timeline.status(point));
      }
    }
  }

  private void signal(long point, int code) {
    HostPoints target = signalTargets[signalSlot(point)];
    if (target != null) {
      // what was signalled before, or is over, needs nothing more
      int ignored = target.signal(signalPoints[signalSlot(point)], code);
    }
  }

  private void ring() {
    timeline.ringWatchers();
    Notifier listening = notifier;
    if (listening != null) {
      listening.wake();
    }
  }

  private int signalSlot(long point) {
    return (int) (point - 1) & (mask << 1 | 1);
  }

  private int slot(long point) {
    return (int) (point - 1) & mask;
  }
}
