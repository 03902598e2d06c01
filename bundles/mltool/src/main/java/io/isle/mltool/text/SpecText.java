package io.isle.mltool.text;

import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.TrainedFeature;
import io.isle.lib.model.TrainedOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The decision that a model is for, and the data of its training. */
final class SpecText {
  private static final long MOST_STDDEV = 0xFFFF_FFFFL;

  private SpecText() {}

  static DecisionSpec spec(TextNode node) {
    node.only("name", "budget_ns", "features", "outputs");
    List<DecisionFeature> features = new ArrayList<>();
    for (TextNode each : node.get("features").list()) {
      each.only("name", "unit", "min", "max", "trained");
      features.add(
          checked(
              each,
              () ->
                  new DecisionFeature(
                      each.get("name").text(),
                      each.get("unit").text(),
                      each.get("min").integer(),
                      each.get("max").integer())));
    }
    List<DecisionOutput> outputs = new ArrayList<>();
    for (TextNode each : node.get("outputs").list()) {
      each.only("name", "unit", "min", "max", "outside", "trained");
      outputs.add(
          checked(
              each,
              () ->
                  new DecisionOutput(
                      each.get("name").text(),
                      each.get("unit").text(),
                      each.get("min").integer(),
                      each.get("max").integer(),
                      outside(each.get("outside")))));
    }
    long budgetNs =
        node.has("budget_ns")
            ? node.get("budget_ns").number(1, Long.MAX_VALUE)
            : DecisionSpec.BUDGET_NS;
    return checked(
        node, () -> new DecisionSpec(node.get("name").text(), features, outputs, budgetNs));
  }

  private static Outside outside(TextNode node) {
    for (Outside outside : Outside.values()) {
      if (outside.text().equals(node.text())) {
        return outside;
      }
    }
    throw node.error("is '" + node.text() + "', not clamp or reject");
  }

  private static <T> T checked(TextNode node, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw node.error("is wrong: " + e.getMessage());
    }
  }

  /** What each feature was like; without words of it, evenly between its limits. */
  static List<TrainedFeature> features(TextNode node, DecisionSpec spec) {
    List<TrainedFeature> trained = new ArrayList<>();
    List<TextNode> all = node.get("features").list(spec.features().size());
    for (int i = 0; i < all.size(); i++) {
      DecisionFeature feature = spec.features().get(i);
      trained.add(
          all.get(i).has("trained")
              ? feature(all.get(i).get("trained"))
              : evenly(feature.min(), feature.max()));
    }
    return trained;
  }

  private static TrainedFeature feature(TextNode node) {
    node.only("min", "max", "mean", "stddev");
    return new TrainedFeature(
        node.get("min").integer(),
        node.get("max").integer(),
        node.get("mean").integer(),
        node.get("stddev").number(0, MOST_STDDEV));
  }

  private static TrainedFeature evenly(int min, int max) {
    int mean = (int) (((long) min + max) >> 1);
    return new TrainedFeature(min, max, mean, Math.round(((double) max - min) / Math.sqrt(12)));
  }

  /** The range of each output; without words of it, its limits. */
  static List<TrainedOutput> outputs(TextNode node, DecisionSpec spec) {
    List<TrainedOutput> trained = new ArrayList<>();
    List<TextNode> all = node.get("outputs").list(spec.outputs().size());
    for (int i = 0; i < all.size(); i++) {
      DecisionOutput output = spec.outputs().get(i);
      if (all.get(i).has("trained")) {
        TextNode range = all.get(i).get("trained").only("min", "max");
        trained.add(new TrainedOutput(range.get("min").integer(), range.get("max").integer()));
      } else {
        trained.add(new TrainedOutput(output.min(), output.max()));
      }
    }
    return trained;
  }
}
