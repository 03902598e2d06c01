package io.isle.faces.shell.model;

import io.isle.api.inference.ModelInfo;
import io.isle.api.inference.SlotInfo;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** What the model of a slot did between two readings, a second. */
record TopRow(SlotInfo slot, double invocations, double fallbacks, double outcomes) {
  static List<TopRow> between(TopReading before, TopReading now) {
    double seconds = Math.max(1, now.atNs() - before.atNs()) / 1e9;
    return now.slots().stream()
        .filter(slot -> slot.serving().isPresent() || slot.shadow().isPresent())
        .map(slot -> of(before, slot, seconds))
        .toList();
  }

  private static TopRow of(TopReading before, SlotInfo slot, double seconds) {
    Optional<SlotInfo> old =
        before.slots().stream().filter(one -> one.name().equals(slot.name())).findFirst();
    return new TopRow(
        slot,
        rate(old, slot, ModelInfo.Counters::invocations, seconds),
        rate(old, slot, ModelInfo.Counters::fallbacks, seconds),
        rate(old, slot, ModelInfo.Counters::outcomes, seconds));
  }

  private static double rate(
      Optional<SlotInfo> old,
      SlotInfo now,
      ToLongFunction<ModelInfo.Counters> figure,
      double seconds) {
    long more = count(Optional.of(now), figure) - count(old, figure);
    return Math.max(0, more) / seconds;
  }

  private static long count(Optional<SlotInfo> slot, ToLongFunction<ModelInfo.Counters> figure) {
    return slot.flatMap(SlotInfo::serving)
        .map(model -> figure.applyAsLong(model.counters()))
        .orElse(0L);
  }

  static Table<TopRow> table() {
    return new Table<TopRow>("No models; model:load FILE loads one.")
        .column("model", row -> row.slot().name())
        .whole()
        .column("state", row -> SlotRows.state(row.slot()))
        .column("invocations_per_s", "calls/s", TopRow::invocations, Sizes::tenths)
        .column("fallbacks_per_s", "fallbacks/s", TopRow::fallbacks, Sizes::tenths)
        .column("outcomes_per_s", "outcomes/s", TopRow::outcomes, Sizes::tenths)
        .column(
            "latency_ns",
            row -> row.slot().serving().map(one -> one.counters().latencyNs()).orElse(null))
        .column("accuracy", "accuracy", row -> of(row, false), SlotRows::thousandths)
        .column(
            "heuristic_accuracy",
            "heuristic",
            row -> row.slot().serving().map(SlotRows::heuristicAccuracy).orElse(null),
            SlotRows::thousandths)
        .column("shadow_accuracy", "shadow", row -> of(row, true), SlotRows::thousandths)
        .column(
            "reason",
            row ->
                row.slot().fallback().reason().isEmpty() ? null : row.slot().fallback().reason());
  }

  private static Object of(TopRow row, boolean shadow) {
    return (shadow ? row.slot().shadow() : row.slot().serving())
        .map(SlotRows::accuracy)
        .orElse(null);
  }
}
