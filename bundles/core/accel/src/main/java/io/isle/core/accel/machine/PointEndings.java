package io.isle.core.accel.machine;

import io.isle.api.accel.CompletionStatus;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.core.accel.queue.ContextQueue;

/**
 * Writes down how points end, each once: in its context's completion log and in order for its
 * timeline. Not thread-safe.
 */
public final class PointEndings {
  private final EndedPoints ended;
  private final ContextQueue[] queues;

  /** By context, the latest time at which one of its submissions left the device. */
  private final long[] lastEndNs;

  /** By context, the newest point of whose end was told. */
  private final long[] told;

  private final ContextSet touched;
  private final ContextSet urgent;
  private final boolean[] isUrgent;

  public PointEndings(int contexts) {
    ended = new EndedPoints(contexts);
    queues = new ContextQueue[contexts];
    lastEndNs = new long[contexts];
    told = new long[contexts];
    touched = new ContextSet(contexts);
    urgent = new ContextSet(contexts);
    isUrgent = new boolean[contexts];
  }

  /**
   * A context comes.
   *
   * @param first whether who waits for its points is woken before others
   */
  public void open(int c, ContextQueue queue, boolean first) {
    queues[c] = queue;
    lastEndNs[c] = 0;
    told[c] = 0;
    isUrgent[c] = first;
    ended.open(c, queue.depth());
  }

  public void close(int c) {
    ended.close(c);
    queues[c] = null;
    touched.remove(c);
    urgent.remove(c);
  }

  public ContextQueue queue(int c) {
    return queues[c];
  }

  public boolean has(int c, long point) {
    return ended.has(c, point);
  }

  /** The newest point of which all before have ended too. */
  public long prefix(int c) {
    return ended.prefix(c);
  }

  /** The device ended a point. */
  void record(
      int c,
      long p,
      int code,
      CompletionStatus outcome,
      long startNs,
      long endNs,
      long busyNs,
      int detail) {
    queues[c].log.record(p, code, outcome, startNs, endNs, busyNs, detail);
    ended.end(c, p);
    (isUrgent[c] ? urgent : touched).add(c);
  }

  /** The core ends a point. */
  public void record(int c, long point, int code) {
    record(c, point, code, CompletionCodes.outcome(code), 0, 0, 0, 0);
  }

  /** A point left the device after a stretch on it and goes on later. */
  void addBusy(int c, long point, long startNs, long endNs, long busyNs) {
    queues[c].log.addBusy(point, startNs, endNs, busyNs);
  }

  /** A point that left the device after stretches on it starts over. */
  void forgetBusy(int c, long point) {
    queues[c].log.forgetBusy(point);
  }

  /** How long work that ends was on the device, but for the time of the one before it. */
  long elapsed(int c, long startNs, long endNs) {
    long ns = Math.max(0, endNs - Math.max(startNs, lastEndNs[c]));
    lastEndNs[c] = Math.max(lastEndNs[c], endNs);
    return ns;
  }

  /** Tells of the ends of all points up to {@link #prefix}, after a full fence. */
  public void tell(int c) {
    long ended = prefix(c);
    if (ended != told[c]) {
      queues[c].tell(told[c] + 1, ended);
      told[c] = ended;
    }
  }

  /** The core ends those of {@code first} to {@code last} that have not ended yet. */
  void endAll(int c, long first, long last, int code) {
    for (long point = first; point <= last; point++) {
      if (!ended.has(c, point)) {
        record(c, point, code);
      }
    }
  }

  /** Urgent contexts of which points ended, until the caller takes them out. */
  public ContextSet urgent() {
    return urgent;
  }

  /** As {@link #urgent}, of all others. */
  public ContextSet touched() {
    return touched;
  }
}
