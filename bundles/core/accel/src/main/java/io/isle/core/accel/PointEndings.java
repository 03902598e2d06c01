package io.isle.core.accel;

import io.isle.api.accel.CompletionStatus;

/**
 * Writes down how points end, each once: in its context's completion log and in order for its
 * timeline. Not thread-safe.
 */
final class PointEndings {
  private final EndedPoints ended;
  private final ContextQueue[] queues;
  private final ContextSet touched;
  private final ContextSet urgent;
  private final boolean[] isUrgent;

  PointEndings(int contexts) {
    ended = new EndedPoints(contexts);
    queues = new ContextQueue[contexts];
    touched = new ContextSet(contexts);
    urgent = new ContextSet(contexts);
    isUrgent = new boolean[contexts];
  }

  /**
   * A context comes.
   *
   * @param first whether who waits for its points is woken before others
   */
  void open(int c, ContextQueue queue, boolean first) {
    queues[c] = queue;
    isUrgent[c] = first;
    ended.open(c, queue.depth());
  }

  void close(int c) {
    ended.close(c);
    queues[c] = null;
    touched.remove(c);
    urgent.remove(c);
  }

  ContextQueue queue(int c) {
    return queues[c];
  }

  boolean has(int c, long point) {
    return ended.has(c, point);
  }

  /** The newest point of which all before have ended too. */
  long prefix(int c) {
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
  void record(int c, long point, int code) {
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

  /** The core ends those of {@code first} to {@code last} that have not ended yet. */
  void endAll(int c, long first, long last, int code) {
    for (long point = first; point <= last; point++) {
      if (!ended.has(c, point)) {
        record(c, point, code);
      }
    }
  }

  /** Urgent contexts of which points ended, until the caller takes them out. */
  ContextSet urgent() {
    return urgent;
  }

  /** As {@link #urgent}, of all others. */
  ContextSet touched() {
    return touched;
  }
}
