package io.isle.inference.engine.fallback;

import io.isle.api.inference.FallbackEvent;
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

  /** The event that tells of it. */
  FallbackEvent.Type event() {
    return switch (this) {
      case WARNING -> FallbackEvent.Type.ESCALATION_WARNING;
      case CRITICAL -> FallbackEvent.Type.ESCALATION_CRITICAL;
      case AUTO_DISABLED -> FallbackEvent.Type.AUTO_DISABLED;
      case NONE -> throw new IllegalStateException("no step, no event");
    };
  }
}
