package io.isle.lib.agent;

import java.util.Locale;

/** Behaviour of a thread while its agents have no work, the least wakeful first. */
public enum IdleMode {
  /** Sleeps at once, without a permit. */
  SLEEP,
  /**
   * With a permit, spins as long as spinning has found work before, then yields a few times,
   * returns the permit and sleeps. Without a permit, yields a few times and sleeps.
   */
  ADAPTIVE,
  /**
   * With a permit, yields the processor after each cycle and never sleeps; otherwise as ADAPTIVE.
   */
  YIELD,
  /** With a permit, polls for work and never sleeps; otherwise as ADAPTIVE. */
  SPIN;

  /** Lower case, as in settings and listings. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
