package io.isle.faces.shell.model;

import io.isle.api.base.Errno;
import io.isle.api.inference.InferenceException;
import io.isle.api.inference.ModelInfo;
import io.isle.api.inference.Models;
import io.isle.api.inference.SlotInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Slots as rows of a table. */
final class SlotRows {
  private SlotRows() {}

  /**
   * The slot of a decision, or all.
   *
   * @param name null for all
   */
  static List<SlotInfo> named(Services services, String name) {
    return services.with(
        Models.class,
        models ->
            name == null
                ? models.slots()
                : List.of(models.find(name).orElseThrow(() -> missing(name))));
  }

  private static InferenceException missing(String name) {
    return new InferenceException(
        Errno.ENOENT,
        "no decision '"
            + (name.length() > 40 ? name.substring(0, 40) + "..." : name)
            + "'; see model:list");
  }

  /** One word for what decides. */
  static String state(SlotInfo slot) {
    if (!slot.present()) {
      return "absent";
    }
    if (slot.serving().isEmpty()) {
      return slot.problem().isEmpty() ? slot.shadow().isEmpty() ? "none" : "shadow" : "out";
    }
    if (!slot.fallback().reason().isEmpty()) {
      return slot.mode().equals("off") ? "off" : "fallback";
    }
    return slot.ofJob() ? "job" : slot.mode();
  }

  static Table<SlotInfo> list() {
    return new Table<SlotInfo>("No decisions that models could serve.")
        .column("model", SlotInfo::name)
        .whole()
        .column("state", SlotRows::state)
        .whole()
        .column("type", slot -> of(slot, ModelInfo::type))
        .column("serial", slot -> of(slot, ModelInfo::serial))
        .column("signer", slot -> of(slot, ModelInfo::signer))
        .spare()
        .column("shadow", slot -> slot.shadow().map(ModelInfo::serial).orElse(null))
        .column("invocations", slot -> of(slot, model -> model.counters().invocations()))
        .column("fallbacks", slot -> of(slot, model -> model.counters().fallbacks()))
        .column("latency_ns", slot -> of(slot, model -> model.counters().latencyNs()))
        .column("outcomes", slot -> of(slot, model -> model.score().outcomes()))
        .column("accuracy", "accuracy", slot -> of(slot, SlotRows::accuracy), SlotRows::thousandths)
        .column(
            "heuristic_accuracy",
            "heuristic",
            slot -> of(slot, SlotRows::heuristicAccuracy),
            SlotRows::thousandths)
        .column(
            "advantage", "advantage", slot -> of(slot, SlotRows::advantage), SlotRows::thousandths)
        .column("reason", SlotRows::reason);
  }

  private static Object of(SlotInfo slot, Function<ModelInfo, Object> figure) {
    return slot.serving().map(figure).orElse(null);
  }

  /** Null without outcomes. */
  static Double accuracy(ModelInfo model) {
    return model.score().outcomes() == 0 ? null : model.score().accuracy();
  }

  /** Null without outcomes. */
  static Double heuristicAccuracy(ModelInfo model) {
    return model.score().outcomes() == 0 ? null : model.score().heuristicAccuracy();
  }

  /** Null without outcomes. */
  static Double advantage(ModelInfo model) {
    return model.score().outcomes() == 0 ? null : model.score().advantage();
  }

  /** Three digits behind the point. */
  static String thousandths(Object value) {
    return value instanceof Double number ? String.format(Locale.ROOT, "%.3f", number) : "-";
  }

  private static String reason(SlotInfo slot) {
    String reason = slot.fallback().reason();
    String groups =
        String.join(
            ",",
            slot.groups().stream()
                .filter(one -> !one.fallback().reason().isEmpty())
                .map(one -> one.group() + ":" + one.fallback().reason())
                .toList());
    return Optional.of((reason + " " + groups).strip())
        .filter(text -> !text.isEmpty())
        .or(() -> Optional.of(slot.problem()).filter(text -> !text.isEmpty()))
        .orElse(null);
  }
}
