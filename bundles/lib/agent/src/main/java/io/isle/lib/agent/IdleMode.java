package io.isle.lib.agent;

import java.util.Locale;

/** What a thread does while its agents have no work, from the least wakeful on. */
public enum IdleMode {
  /** Sleeps at once; never takes a permit. */
  SLEEP,
  /**
   * With a permit spins for as long as that paid off so far, then yields a few times, then gives
   * the permit back and sleeps. Without one it yields a few times and sleeps.
   */
  ADAPTIVE,
  /** With a permit yields the processor after each cycle and never sleeps; else as ADAPTIVE. */
  YIELD,
  /** With a permit looks again and again and never sleeps; else as ADAPTIVE. */
  SPIN;

  /** As settings and listings have it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
