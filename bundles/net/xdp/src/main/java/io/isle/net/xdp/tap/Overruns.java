package io.isle.net.xdp.tap;

import java.util.concurrent.atomic.AtomicLong;

/** Frames that a slow reader has lost. One thread counts, any thread reads. */
public final class Overruns {
  private final AtomicLong polling = new AtomicLong();
  private final AtomicLong reading = new AtomicLong();

  /** Frames were overwritten before the reader found them. */
  public void polling(long frames) {
    polling.setRelease(polling.getPlain() + frames);
  }

  /** Frames were overwritten while the reader read them. */
  public void reading(long frames) {
    reading.setRelease(reading.getPlain() + frames);
  }

  /** Frames that were overwritten before the reader found them. */
  public long polling() {
    return polling.getAcquire();
  }

  /** Frames that were overwritten while the reader read them. */
  public long reading() {
    return reading.getAcquire();
  }

  /** All lost frames. */
  public long all() {
    return polling() + reading();
  }
}
