package io.isle.inference.engine;

import io.isle.api.inference.ModelInfo;
import io.isle.api.inference.SlotInfo;
import io.isle.api.observe.Metric;
import io.isle.api.observe.Metric.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figures of models for monitoring. Pure functions. */
final class ModelMetrics {
  private static final double NS = 1e9;

  private ModelMetrics() {}

  static List<Metric> of(List<SlotInfo> slots) {
    List<Metric> all = new ArrayList<>();
    for (SlotInfo slot : slots) {
      Map<String, String> name = Map.of("model", slot.name());
      gauge(
          all,
          "isle_model_fallback",
          "1 while the rule decides in the place of the model, else 0",
          name,
          slot.fallback().reason().isEmpty() ? 0 : 1);
      gauge(
          all,
          "isle_model_fallback_groups",
          "groups for which the rule decides in the place of the model",
          name,
          slot.groups().stream().filter(one -> !one.fallback().reason().isEmpty()).count());
      slot.serving().ifPresent(model -> of(all, name, model));
    }
    return all;
  }

  private static void of(List<Metric> all, Map<String, String> name, ModelInfo model) {
    ModelInfo.Counters counters = model.counters();
    counter(
        all, "isle_model_invocations_total", "calls of the model", name, counters.invocations());
    counter(
        all,
        "isle_model_fallbacks_total",
        "decisions of the rule while the model was the one to serve",
        name,
        counters.fallbacks());
    counter(
        all,
        "isle_model_outcomes_total",
        "decisions whose outcome is known",
        name,
        counters.outcomes());
    counter(
        all,
        "isle_model_correct_total",
        "such decisions with a score of 500 and more",
        name,
        counters.correct());
    counter(
        all,
        "isle_model_abstained_total",
        "calls without an answer, by the model's own choice",
        name,
        counters.abstained());
    counter(
        all,
        "isle_model_invalid_total",
        "calls with an output out of its range",
        name,
        counters.invalid());
    counter(
        all,
        "isle_model_outside_total",
        "decisions with a feature out of the trained range",
        name,
        counters.outside());
    gauge(
        all,
        "isle_model_latency_seconds",
        "mean time of a measured call",
        name,
        counters.latencyNs() / NS);
    gauge(all, "isle_model_accuracy_ratio", "mean score lately", name, model.score().accuracy());
    gauge(
        all,
        "isle_model_advantage_ratio",
        "mean score lately beyond that of the rule",
        name,
        model.score().advantage());
  }

  private static void counter(
      List<Metric> all, String name, String help, Map<String, String> labels, double value) {
    all.add(new Metric(name, Kind.COUNTER, help, labels, value));
  }

  private static void gauge(
      List<Metric> all, String name, String help, Map<String, String> labels, double value) {
    all.add(new Metric(name, Kind.GAUGE, help, labels, value));
  }
}
