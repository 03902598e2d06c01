package io.isle.net.jobs;

/**
 * Something that a job does to the tiles of a net. Times are those of {@link System#nanoTime}. The
 * thread that brings the event about ends it; any thread reads.
 */
final class Event {
  private final String name;
  private final long beginNs;
  private volatile long endNs;

  /** An event that begins, and has no end yet. */
  Event(String name, long beginNs) {
    this.name = name;
    this.beginNs = beginNs;
    endNs = beginNs + Long.MAX_VALUE / 2;
  }

  /** Such as {@code update}. */
  String name() {
    return name;
  }

  long beginNs() {
    return beginNs;
  }

  /** Far in the future while the event goes on. */
  long endNs() {
    return endNs;
  }

  void end(long nowNs) {
    endNs = nowNs;
  }
}
