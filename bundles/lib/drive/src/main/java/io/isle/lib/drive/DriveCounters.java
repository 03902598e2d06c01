package io.isle.lib.drive;

import java.util.concurrent.atomic.AtomicLong;

/** What a drive has done so far. Thread-safe. */
public final class DriveCounters {
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong replies = new AtomicLong();
  private final AtomicLong strays = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private volatile long progressNs = System.nanoTime();

  /** Packets that were sent. */
  public long packets() {
    return sent.get();
  }

  /** Replies that were taken, late ones included. */
  public long replies() {
    return replies.get();
  }

  /** Packets that came and were no due reply. */
  public long strays() {
    return strays.get();
  }

  /** Packets during which a link broke. */
  public long broken() {
    return broken.get();
  }

  void sent() {
    sent.incrementAndGet();
  }

  void replied() {
    replies.incrementAndGet();
  }

  void stray() {
    strays.incrementAndGet();
  }

  void broken(long more) {
    broken.addAndGet(more);
  }

  /** Something has gone round the ring, or on its way. */
  void progress() {
    progressNs = System.nanoTime();
  }

  /** Time since the last {@link #progress}. */
  long quietNs() {
    return System.nanoTime() - progressNs;
  }
}
