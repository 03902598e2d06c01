package io.isle.net.ports.port;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread counts and any thread reads. */
public final class Tally {
  private final AtomicLong number = new AtomicLong();

  /** Counts one more; the counting thread only. */
  public void one() {
    number.setRelease(number.getPlain() + 1);
  }

  /** The number so far. */
  public long number() {
    return number.getAcquire();
  }
}
