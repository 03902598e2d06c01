package io.isle.inference.engine.slot;

import io.isle.api.inference.FallbackInfo;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.ScoreInfo;
import io.isle.api.inference.SlotInfo;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.SlotDecider;
import io.isle.inference.engine.fallback.FallbackState;
import io.isle.inference.engine.fallback.ModelFallback;
import io.isle.inference.engine.settings.SlotSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Describes slots. Under the slot's lock. */
final class SlotReport {
  private SlotReport() {}

  /** Describes a slot. */
  static SlotInfo of(
      String name, SlotModels models, Seat seat, SlotSettings settings, long budgetNs) {
    PlacedModel ofJob = seat.ofJob();
    ModelFallback fallback = seat.acting().fallback();
    DecisionSlot slot = seat.slot();
    PlacedModel serving = ofJob == null ? models.serving() : ofJob;
    return new SlotInfo(
        name,
        slot != null,
        settings.mode().name().toLowerCase(Locale.ROOT),
        ofJob != null,
        models.problem().text(),
        budgetNs,
        settings.accuracyThreshold(),
        settings.minAdvantage(),
        settings.autoDisable(),
        models.stored().newest().stream().mapToLong(mark -> mark.serial()).findFirst(),
        Optional.ofNullable(serving).map(PlacedModel::info),
        Optional.ofNullable(ofJob == null ? models.shadow() : null).map(PlacedModel::info),
        Optional.ofNullable(ofJob == null ? models.previous() : null).map(PlacedModel::info),
        info(fallback.state()),
        groups(serving, fallback, slot));
  }

  private static List<SlotInfo.GroupInfo> groups(
      PlacedModel serving, ModelFallback fallback, DecisionSlot slot) {
    Map<String, Integer> deciders = new TreeMap<>();
    if (slot != null) {
      for (SlotDecider decider : slot.deciders()) {
        deciders.merge(decider.use().group(), 1, Integer::sum);
      }
    }
    for (FallbackState state : fallback.states()) {
      if (state.scope().isGroup()) {
        deciders.putIfAbsent(state.scope().group(), 0);
      }
    }
    if (serving != null) {
      serving.groups().keySet().forEach(group -> deciders.putIfAbsent(group, 0));
    }
    List<SlotInfo.GroupInfo> groups = new ArrayList<>();
    deciders.forEach(
        (group, count) ->
            groups.add(
                new SlotInfo.GroupInfo(
                    group, count, score(serving, group), info(fallback.state(group)))));
    return groups;
  }

  private static ScoreInfo score(PlacedModel serving, String group) {
    GroupScore score = serving == null ? null : serving.groups().get(group);
    return score == null ? ScoreInfo.NONE : score.info();
  }

  private static FallbackInfo info(FallbackState state) {
    return new FallbackInfo(
        state.reason().map(FallbackReason::text).orElse(""),
        state.reason().map(FallbackReason::fields).orElse(""),
        state.durationNs(),
        state.consecutiveCount(),
        state.step().text(),
        !state.held(),
        state.adminNeeded());
  }
}
