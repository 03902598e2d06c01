package io.isle.api.inference;

import java.util.Objects;

/**
 * Whether and why the rule decides in the place of a model. Immutable.
 *
 * @param reason {@link FallbackReason#text}; empty while the model decides
 * @param fields {@link FallbackReason#fields}
 * @param durationNs time since the beginning
 * @param decisions decisions of the rule since then
 * @param step how far it has escalated: {@code none}, {@code warning}, {@code critical}, {@code
 *     auto_disabled}
 * @param autoRecover whether retries may end it
 * @param adminNeeded whether only an administrator ends it
 */
public record FallbackInfo(
    String reason,
    String fields,
    long durationNs,
    long decisions,
    String step,
    boolean autoRecover,
    boolean adminNeeded) {
  /** Checks that nothing is missing. */
  public FallbackInfo {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(fields, "fields");
    Objects.requireNonNull(step, "step");
  }
}
