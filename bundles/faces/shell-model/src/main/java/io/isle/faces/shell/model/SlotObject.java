package io.isle.faces.shell.model;

import io.isle.api.inference.FallbackInfo;
import io.isle.api.inference.ModelInfo;
import io.isle.api.inference.ScoreInfo;
import io.isle.api.inference.SlotInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * All that is known of a slot, as a JSON object. The first fields have the names of the files of
 * the accelerator framework (45.4, 45.6b.4, 45.8).
 */
final class SlotObject {
  private SlotObject() {}

  static Map<String, Object> of(SlotInfo slot) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("model", slot.name());
    object.put("state", SlotRows.state(slot));
    object.put("model.bin", slot.serving().map(SlotObject::metadata).orElse(null));
    object.put("active", active(slot));
    ScoreInfo score = slot.serving().map(ModelInfo::score).orElse(ScoreInfo.NONE);
    object.put("accuracy", score.accuracy());
    object.put("accuracy_threshold", slot.accuracyThreshold());
    object.put("drift_detected", score.driftDetected());
    object.put("auto_disable", slot.autoDisable());
    ModelInfo.Counters counters = slot.serving().map(ModelInfo::counters).orElse(NOTHING);
    object.put("latency_ns", counters.latencyNs());
    object.put("invocations", counters.invocations());
    object.put("fallbacks", counters.fallbacks());
    fallback(object, slot.fallback());
    object.put("mode", slot.mode());
    object.put("heuristic_accuracy", score.heuristicAccuracy());
    object.put("advantage", score.advantage());
    object.put("min_advantage", slot.minAdvantage());
    object.put("window_outcomes", score.outcomes());
    rest(object, counters);
    object.put("budget_ns", slot.budgetNs());
    object.put(
        "newest_serial", slot.newestSerial().isPresent() ? slot.newestSerial().getAsLong() : null);
    object.put("of_job", slot.ofJob());
    object.put("problem", slot.problem());
    object.put("shadow", slot.shadow().map(SlotObject::scored).orElse(null));
    object.put("previous", slot.previous().map(SlotObject::metadata).orElse(null));
    object.put("groups", slot.groups().stream().map(SlotObject::group).toList());
    return object;
  }

  private static final ModelInfo.Counters NOTHING =
      new ModelInfo.Counters(0, 0, 0, 0, 0, 0, 0, 0, 0);

  private static String active(SlotInfo slot) {
    return switch (slot.mode()) {
      case "heuristic" -> "heuristic";
      case "off" -> "0";
      default -> slot.serving().isPresent() && slot.fallback().reason().isEmpty() ? "1" : "0";
    };
  }

  private static void fallback(Map<String, Object> object, FallbackInfo fallback) {
    object.put("fallback_reason", fallback.reason());
    object.put("fallback_fields", fallback.fields());
    object.put("fallback_duration_ms", TimeUnit.NANOSECONDS.toMillis(fallback.durationNs()));
    object.put("fallback_auto_recover", fallback.autoRecover());
    object.put("require_admin_reset", fallback.adminNeeded());
    object.put("fallback_step", fallback.step());
    object.put("fallback_decisions", fallback.decisions());
  }

  private static void rest(Map<String, Object> object, ModelInfo.Counters counters) {
    object.put("outcomes", counters.outcomes());
    object.put("correct_predictions", counters.correct());
    object.put("abstained", counters.abstained());
    object.put("invalid", counters.invalid());
    object.put("outside", counters.outside());
    object.put("interrupted", counters.interrupted());
  }

  private static Map<String, Object> metadata(ModelInfo model) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", model.type());
    object.put("serial", model.serial());
    object.put("trained_at", model.trainedAt().toString());
    object.put("signer", model.signer().isEmpty() ? null : model.signer());
    object.put("sha256", model.sha256());
    object.put("input_features", model.features());
    object.put("outputs", model.outputs());
    object.put("param_size", model.paramBytes());
    object.put("max_latency_ns", model.maxLatencyNs());
    object.put("bound_ns", model.boundNs());
    return object;
  }

  private static Map<String, Object> scored(ModelInfo model) {
    Map<String, Object> object = metadata(model);
    score(object, model.score());
    return object;
  }

  private static void score(Map<String, Object> object, ScoreInfo score) {
    object.put("accuracy", score.accuracy());
    object.put("heuristic_accuracy", score.heuristicAccuracy());
    object.put("advantage", score.advantage());
    object.put("window_outcomes", score.outcomes());
    object.put("drift_detected", score.driftDetected());
  }

  private static Map<String, Object> group(SlotInfo.GroupInfo group) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("group", group.group());
    object.put("deciders", group.deciders());
    score(object, group.score());
    fallback(object, group.fallback());
    return object;
  }
}
