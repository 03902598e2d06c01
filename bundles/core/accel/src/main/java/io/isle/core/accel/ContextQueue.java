package io.isle.core.accel;

/**
 * A context's queue as its submitting thread and the agent share it: the slot of a point holds the
 * envelope's length and its waits, written before {@link PointTimeline#publish}.
 */
final class ContextQueue {
  static final int MAX_WAITS = 8;

  final long contextId;
  final PointTimeline timeline;
  final CompletionLog log;
  final Waiters waiters = new Waiters();
  volatile Notifier notifier;

  private final long base;
  private final int slotBytes;
  private final int mask;
  private final int[] lengths;
  private final int[] stamps;
  private final boolean[] replayable;
  private final int[] waitCounts;
  private final PointTimeline[] waitTimelines;
  private final long[] waitPoints;

  /**
   * @param base offset of the first slot in the command segment
   * @param slotBytes bytes of a slot
   * @param depth slots, a power of two
   */
  ContextQueue(long contextId, PointTimeline timeline, long base, int slotBytes, int depth) {
    this.contextId = contextId;
    this.timeline = timeline;
    this.log = timeline.log();
    this.base = base;
    this.slotBytes = slotBytes;
    this.mask = depth - 1;
    this.lengths = new int[depth];
    this.stamps = new int[depth];
    this.replayable = new boolean[depth];
    this.waitCounts = new int[depth];
    this.waitTimelines = new PointTimeline[depth * MAX_WAITS];
    this.waitPoints = new long[depth * MAX_WAITS];
  }

  int depth() {
    return mask + 1;
  }

  /** Offset of the point's envelope in the command segment. */
  long offset(long point) {
    return base + (long) slot(point) * slotBytes;
  }

  int length(long point) {
    return lengths[slot(point)];
  }

  boolean hasWaits(long point) {
    return waitCounts[slot(point)] > 0;
  }

  /** Tells which openings of the device the submission was admitted for. */
  int stamp(long point) {
    return stamps[slot(point)];
  }

  /** Agent: whether the submission may start again; true at most once. */
  boolean takeReplay(long point) {
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
  void describe(long point, int length, int waits, int stamp, boolean replay) {
    int slot = slot(point);
    lengths[slot] = length;
    stamps[slot] = stamp;
    replayable[slot] = replay;
    waitCounts[slot] = waits;
  }

  /** Submitting thread: wait {@code index} of the next point. */
  void setWait(long point, int index, PointTimeline timeline, long awaited) {
    int at = slot(point) * MAX_WAITS + index;
    waitTimelines[at] = timeline;
    waitPoints[at] = awaited;
  }

  /** Agent: whether each point that the submission waits for has ended. */
  boolean waitsOver(long point) {
    int slot = slot(point);
    int first = slot * MAX_WAITS;
    for (int i = first; i < first + waitCounts[slot]; i++) {
      if (!waitTimelines[i].isOver(waitPoints[i])) {
        return false;
      }
    }
    return true;
  }

  /** Agent, after the timeline advanced and a full fence: wakes all whom it concerns. */
  void wake(long ended) {
    waiters.wake(ended);
    timeline.ringWatchers();
    Notifier listening = notifier;
    if (listening != null) {
      listening.wake();
    }
  }

  private int slot(long point) {
    return (int) (point - 1) & mask;
  }
}
