package io.isle.lib.drive;

import java.util.concurrent.atomic.AtomicLong;

/** What a drive has done so far. Thread-safe. */
public final class DriveCounters {
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong replies = new AtomicLong();
  private final AtomicLong strays = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final AtomicLong progressNs = new AtomicLong(System.nanoTime());

  /** Begin of the wait for a payload; 0 without a wait. */
  private volatile long readingNs;

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
    progressNs.set(System.nanoTime());
  }

  /** The sender begins or ends to wait for a payload. */
  void reads(boolean now) {
    long time = System.nanoTime();
    long begun = readingNs;
    readingNs = now ? time : 0;
    if (!now) {
      long ignored = progressNs.updateAndGet(before -> Math.min(time, before + time - begun));
    }
  }

  /** Time since the last {@link #progress}, without the time of waits for payloads. */
  long quietNs() {
    long begun = readingNs;
    return (begun == 0 ? System.nanoTime() : begun) - progressNs.get();
  }
}
