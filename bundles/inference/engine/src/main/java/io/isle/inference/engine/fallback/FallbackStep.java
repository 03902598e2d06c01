package io.isle.inference.engine.fallback;

import java.util.Locale;

/** How far a fallback has escalated. */
public enum FallbackStep {
  /** Not yet. */
  NONE,
  /** A warning was given. */
  WARNING,
  /** An alert was given. */
  CRITICAL,
  /** Only an administrator ends it. */
  AUTO_DISABLED;

  /** Lower case, as in commands. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
