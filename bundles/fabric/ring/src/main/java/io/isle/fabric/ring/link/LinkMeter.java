package io.isle.fabric.ring.link;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counters of a link, across its ports. Each counter has one writer at a time; any thread reads.
 */
final class LinkMeter {
  static final int FRAMES_SENT = 0;
  static final int BYTES_SENT = 1;
  static final int FRAMES_RECEIVED = 2;
  static final int BYTES_RECEIVED = 3;
  static final int LOST = 4;
  static final int DUPLICATES = 5;
  static final int STALE = 6;
  static final int MALFORMED = 7;
  static final int CUT = 8;
  static final int FOREIGN = 9;
  static final int STRAYS = 10;
  static final int PATHS = 11;
  private static final int COUNT = 12;

  private final AtomicLongArray values = new AtomicLongArray(COUNT);

  void add(int counter, long amount) {
    values.setRelease(counter, values.getPlain(counter) + amount);
  }

  void sent(long bytes) {
    add(FRAMES_SENT, 1);
    add(BYTES_SENT, bytes);
  }

  void received(long bytes) {
    add(FRAMES_RECEIVED, 1);
    add(BYTES_RECEIVED, bytes);
  }

  long get(int counter) {
    return values.getAcquire(counter);
  }
}
