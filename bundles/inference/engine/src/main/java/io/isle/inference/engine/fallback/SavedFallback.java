package io.isle.inference.engine.fallback;

import io.isle.api.inference.FallbackReason;
import java.util.Optional;

/**
 * What a fallback is after a restart of the engine. Times are durations, as the clock begins anew.
 *
 * @param scope what it concerns
 * @param off whether an administrator has switched the model off
 * @param fault what went wrong, if anything
 * @param ageNs time since the beginning
 * @param escalatingNs time that counts for the steps
 * @param step how far it has escalated
 * @param held whether an administrator has stopped the retries
 */
public record SavedFallback(
    FallbackScope scope,
    boolean off,
    Optional<FallbackReason> fault,
    long ageNs,
    long escalatingNs,
    FallbackStep step,
    boolean held) {
  /** Checks the times. */
  public SavedFallback {
    if (ageNs < 0 || escalatingNs < 0) {
      throw new IllegalArgumentException("the age of a fallback is below 0");
    }
    if (!off && fault.isEmpty()) {
      throw new IllegalArgumentException("a fallback has a reason");
    }
  }
}
