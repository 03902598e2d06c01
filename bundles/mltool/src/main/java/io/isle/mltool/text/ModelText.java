package io.isle.mltool.text;

import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.ModelParameters;
import io.isle.lib.model.form.ModelForm;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A model as text.
 *
 * @param spec the decision that it is for
 * @param parameters common to all types
 * @param form its numbers
 * @param maxLatencyNs most time of an answer; without, it is computed
 */
public record ModelText(
    DecisionSpec spec, ModelParameters parameters, ModelForm form, OptionalLong maxLatencyNs) {
  /**
   * Reads a text.
   *
   * @throws TextException it is no model
   */
  public static ModelText read(byte[] text) throws IOException {
    TextNode root = TextReader.read(text);
    root.only("decision", "serial", "trained_at", "max_latency_ns", "model");
    TextNode decision = root.get("decision");
    DecisionSpec spec = SpecText.spec(decision);
    ModelParameters parameters =
        new ModelParameters(
            spec.name(),
            spec.schema(),
            root.get("serial").number(0, Long.MAX_VALUE),
            time(root.get("trained_at")),
            SpecText.features(decision, spec),
            SpecText.outputs(decision, spec));
    OptionalLong latency =
        root.has("max_latency_ns")
            ? OptionalLong.of(root.get("max_latency_ns").number(1, Long.MAX_VALUE))
            : OptionalLong.empty();
    return new ModelText(spec, parameters, new FormText(spec).form(root.get("model")), latency);
  }

  private static Instant time(TextNode node) {
    try {
      return Instant.parse(node.text());
    } catch (DateTimeException e) {
      throw node.error("is '" + node.text() + "', not a time such as 2026-01-31T12:00:00Z");
    }
  }
}
