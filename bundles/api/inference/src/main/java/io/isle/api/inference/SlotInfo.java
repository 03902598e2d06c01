package io.isle.api.inference;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The place of one decision's models. Immutable.
 *
 * @param name of the decision
 * @param present whether the owner of the decision is here
 * @param mode {@code active}, {@code heuristic} or {@code off}
 * @param ofJob whether the model that serves is that of a running job
 * @param problem why a kept model is not loaded; empty without one
 * @param budgetNs most time of an answer
 * @param accuracyThreshold least accuracy
 * @param minAdvantage least advantage over the rule
 * @param autoDisable whether a drift takes the decisions from the model
 * @param newestSerial highest serial number of a signed model so far
 * @param serving the model that decides
 * @param shadow the model that is only scored
 * @param previous the model that decided before
 * @param fallback of the model
 * @param groups the groups that decide, and those that are in fallback
 */
public record SlotInfo(
    String name,
    boolean present,
    String mode,
    boolean ofJob,
    String problem,
    long budgetNs,
    double accuracyThreshold,
    double minAdvantage,
    boolean autoDisable,
    OptionalLong newestSerial,
    Optional<ModelInfo> serving,
    Optional<ModelInfo> shadow,
    Optional<ModelInfo> previous,
    FallbackInfo fallback,
    List<GroupInfo> groups) {
  /**
   * One group's use of the models.
   *
   * @param group name of the group
   * @param deciders number of its open deciders
   * @param score of the model that serves, on its decisions
   * @param fallback of this group
   */
  public record GroupInfo(String group, int deciders, ScoreInfo score, FallbackInfo fallback) {}

  /** Checks that nothing is missing; copies the list. */
  public SlotInfo {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(fallback, "fallback");
    groups = List.copyOf(groups);
  }
}
