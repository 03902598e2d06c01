package io.isle.inference.engine.fallback;

import io.isle.api.inference.FallbackReason;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * State of one fallback (accelerator framework, 45.6b.2). Immutable.
 *
 * @param scope what it concerns
 * @param reason empty while the model decides
 * @param enteredAt when the fallback began, in nanoseconds of the clock
 * @param durationNs time since then; 0 while the model decides
 * @param consecutiveCount calls that the rule has decided since then
 * @param escalationThreshold number of such calls that brings the warning early
 * @param step how far it has escalated
 * @param successes retries in a row that went well
 * @param held whether an administrator has stopped the retries
 * @param adminNeeded whether only an action of an administrator ends it
 */
public record FallbackState(
    FallbackScope scope,
    Optional<FallbackReason> reason,
    OptionalLong enteredAt,
    long durationNs,
    long consecutiveCount,
    long escalationThreshold,
    FallbackStep step,
    int successes,
    boolean held,
    boolean adminNeeded) {}
