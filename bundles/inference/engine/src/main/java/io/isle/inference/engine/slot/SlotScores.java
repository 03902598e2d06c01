package io.isle.inference.engine.slot;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackReason;
import io.isle.inference.engine.decide.DecisionRecord;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.GroupUse;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.SlotDecider;
import io.isle.inference.engine.fallback.ModelFallback;
import io.isle.inference.engine.score.DriftMachine.Look;
import io.isle.inference.engine.score.Score;
import java.util.function.BiConsumer;

/**
 * Scores the models of a slot, and tells the machines of fallback what groups' data have caused.
 * Under the slot's lock.
 */
final class SlotScores {
  private static final double THOUSANDTHS = 1000;

  private final DecisionSlot slot;
  private final MonotonicClock clock;
  private final SlotEvents events;
  private final Scoring scoring;

  SlotScores(DecisionSlot slot, MonotonicClock clock, SlotEvents events) {
    this.slot = slot;
    this.clock = clock;
    this.events = events;
    scoring = new Scoring(slot);
  }

  /**
   * One round.
   *
   * @param most decisions
   * @param serving null for none
   * @param shadow null for none
   * @param seen called with each decision
   * @return decisions taken
   */
  int round(
      int most,
      PlacedModel serving,
      PlacedModel shadow,
      ModelFallback fallback,
      ScoreRules rules,
      BiConsumer<String, DecisionRecord> seen) {
    if (serving != null) {
      serving.rules(rules);
    }
    if (shadow != null) {
      shadow.rules(rules);
    }
    int taken = scoring.round(most, book(serving, shadow, fallback, rules), seen);
    for (SlotDecider decider : slot.deciders()) {
      decider
          .takeAnomaly()
          .ifPresent(anomaly -> fallback.enterGroup(decider.use().group(), anomaly));
    }
    for (GroupUse use : slot.uses()) {
      long more = use.takeShutOut();
      if (more > 0) {
        fallback.fallbackCalls(use.group(), more);
      }
    }
    if (serving != null) {
      serving.groups().forEach((group, score) -> look(group, score, fallback, rules));
    }
    return taken;
  }

  private Scoring.Book book(
      PlacedModel serving, PlacedModel shadow, ModelFallback fallback, ScoreRules rules) {
    return new Scoring.Book() {
      @Override
      public LoadedModel serving() {
        return serving == null ? null : serving.loaded();
      }

      @Override
      public LoadedModel shadow() {
        return shadow == null ? null : shadow.loaded();
      }

      @Override
      public void ofServing(String group, int model, int heuristic) {
        serving.score(model, heuristic);
        serving
            .groups()
            .computeIfAbsent(group, name -> new GroupScore(rules, clock, hasDrift(fallback, name)))
            .add(model, heuristic);
      }

      @Override
      public void ofShadow(int model, int heuristic) {
        shadow.score(model, heuristic);
      }
    };
  }

  private static boolean hasDrift(ModelFallback fallback, String group) {
    return fallback.state(group).reason().orElse(null) instanceof FallbackReason.Drift;
  }

  private void look(String group, GroupScore score, ModelFallback fallback, ScoreRules rules) {
    fallback.outcomes(group, score.outcomes());
    if (!score.isDue()) {
      return;
    }
    Score now = score.score();
    Look found = score.look(now);
    if (found == Look.NOTHING) {
      return;
    }
    boolean drifted = found == Look.DRIFTED;
    events.drift(
        new DriftEvent(
            clock.nanoTime(),
            slot.spec().name(),
            group,
            drifted,
            now.accuracy(),
            now.heuristicAccuracy(),
            now.outcomes()));
    if (!drifted) {
      fallback.driftEnded(group);
    } else if (rules.autoDisable()) {
      fallback.enterGroup(
          group,
          new FallbackReason.Drift(
              (int) Math.round(now.accuracy() * THOUSANDTHS),
              (int) Math.round(now.heuristicAccuracy() * THOUSANDTHS)));
    }
  }
}
