package io.isle.core.accel;

/**
 * Writes down how points end, each once: in its context's completion log and in order for its
 * timeline. Not thread-safe.
 */
final class PointEndings {
  private final EndedPoints ended;
  private final ContextQueue[] queues;
  private final ContextSet touched;

  PointEndings(int contexts) {
    ended = new EndedPoints(contexts);
    queues = new ContextQueue[contexts];
    touched = new ContextSet(contexts);
  }

  void open(int c, ContextQueue queue) {
    queues[c] = queue;
    ended.open(c, queue.depth());
  }

  void close(int c) {
    ended.close(c);
    queues[c] = null;
    touched.remove(c);
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
  void record(int c, long p, int code, long startNs, long endNs, long busyNs, int detail) {
    queues[c].log.record(p, code, startNs, endNs, busyNs, detail);
    ended.end(c, p);
    touched.add(c);
  }

  /** The core ends a point. */
  void record(int c, long point, int code) {
    record(c, point, code, 0, 0, 0, 0);
  }

  /** The core ends those of {@code first} to {@code last} that have not ended yet. */
  void endAll(int c, long first, long last, int code) {
    for (long point = first; point <= last; point++) {
      if (!ended.has(c, point)) {
        record(c, point, code);
      }
    }
  }

  /** Contexts of which points ended since the caller last cleared the set. */
  ContextSet touched() {
    return touched;
  }
}
