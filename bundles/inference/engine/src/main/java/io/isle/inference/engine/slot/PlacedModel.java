package io.isle.inference.engine.slot;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.ModelInfo;
import io.isle.api.inference.ScoreInfo;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.ModelStats;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.inference.engine.fallback.GroupLimits;
import io.isle.inference.engine.score.Score;
import io.isle.inference.engine.score.ScoreWindow;
import io.isle.lib.model.ProvenModel;
import io.isle.lib.signing.TrustedKey;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A loaded model of a slot, and how it decides. Under the slot's lock. */
final class PlacedModel {
  private final ProvenModel proven;
  private final LoadedModel loaded;
  private final ScoreWindow window;
  private final Map<String, GroupScore> groups = new TreeMap<>();
  private GroupLimits limits = GroupLimits.DEFAULT;

  PlacedModel(DecisionSpec spec, ProvenModel proven, MonotonicClock clock) {
    this.proven = proven;
    loaded = LoadedModel.of(spec, proven);
    window = new ScoreWindow(clock);
  }

  ProvenModel proven() {
    return proven;
  }

  LoadedModel loaded() {
    return loaded;
  }

  String sha256() {
    return proven.header().sha256();
  }

  /** Scores by group; filled by the scoring. */
  Map<String, GroupScore> groups() {
    return groups;
  }

  /** Scores by these rules from now on. */
  void rules(ScoreRules changed) {
    limits = changed.groups();
    window.limits(changed.window());
    groups.values().forEach(group -> group.rules(changed));
  }

  void score(int model, int heuristic) {
    window.add(model, heuristic);
  }

  Score score() {
    return window.score();
  }

  /** Whether too many of the groups with enough outcomes have a drift. */
  boolean drifts() {
    long ripe = groups.values().stream().filter(one -> limits.isRipe(one.outcomes())).count();
    return limits.isModels(groups.values().stream().filter(GroupScore::drifts).count(), ripe);
  }

  ModelInfo info() {
    return new ModelInfo(
        sha256(),
        proven.header().type().name().toLowerCase(Locale.ROOT),
        proven.serial(),
        proven.trainedAt(),
        proven.signer().map(TrustedKey::label).orElse(""),
        proven.header().features(),
        proven.header().outputs(),
        proven.header().paramBytes(),
        proven.header().maxLatencyNs(),
        proven.boundNs(),
        counters(),
        scoreInfo());
  }

  private ScoreInfo scoreInfo() {
    Score now = window.score();
    return new ScoreInfo(now.outcomes(), now.accuracy(), now.heuristicAccuracy(), drifts());
  }

  private ModelInfo.Counters counters() {
    ModelStats stats = loaded.stats();
    return new ModelInfo.Counters(
        stats.invocations(),
        window.total().correct(),
        window.total().outcomes(),
        stats.latencyNs(),
        stats.total(Count.FALLBACKS),
        stats.total(Count.ABSTAINED),
        stats.total(Count.INVALID),
        stats.total(Count.OUTSIDE),
        stats.total(Count.INTERRUPTED));
  }
}
