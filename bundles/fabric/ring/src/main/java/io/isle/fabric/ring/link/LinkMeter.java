package io.isle.fabric.ring.link;

import io.isle.lib.leap.Arrival;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counters of a link, across its ports. Each counter has one writer at a time; any thread reads.
 */
public final class LinkMeter {
  public static final int FRAMES_SENT = 0;
  public static final int BYTES_SENT = 1;
  public static final int FRAMES_RECEIVED = 2;
  public static final int BYTES_RECEIVED = 3;
  public static final int LOST = 4;
  public static final int DUPLICATES = 5;
  public static final int STALE = 6;
  public static final int MALFORMED = 7;
  public static final int CUT = 8;
  public static final int FOREIGN = 9;
  public static final int STRAYS = 10;
  public static final int PATHS = 11;
  public static final int REPAIRED = 12;
  public static final int OVERFLOW = 13;
  public static final int WRONG_MAGIC = 14;
  public static final int WRONG_TOTAL = 15;
  public static final int WRONG_LENGTH = 16;
  private static final int COUNT = 17;

  private final AtomicLongArray values = new AtomicLongArray(COUNT);

  /** Adds to a counter. */
  public void add(int counter, long amount) {
    values.setRelease(counter, values.getPlain(counter) + amount);
  }

  /** A frame was sent. */
  public void sent(long bytes) {
    add(FRAMES_SENT, 1);
    add(BYTES_SENT, bytes);
  }

  /** A frame was delivered. */
  public void received(long bytes) {
    add(FRAMES_RECEIVED, 1);
    add(BYTES_RECEIVED, bytes);
  }

  /** A datagram has arrived. */
  public void arrived(Arrival arrival) {
    switch (arrival) {
      case ACCEPTED, COMPLETED -> {}
      case DUPLICATE -> add(DUPLICATES, 1);
      case STALE -> add(STALE, 1);
      case OVERFLOW -> add(OVERFLOW, 1);
      case WRONG_MAGIC -> add(WRONG_MAGIC, 1);
      case WRONG_TOTAL -> add(WRONG_TOTAL, 1);
      case WRONG_LENGTH -> add(WRONG_LENGTH, 1);
    }
  }

  /** A number that grows with each counter. */
  public long sum() {
    long sum = 0;
    for (int i = 0; i < COUNT; i++) {
      sum += get(i);
    }
    return sum;
  }

  /** The value of a counter. */
  public long get(int counter) {
    return values.getAcquire(counter);
  }
}
