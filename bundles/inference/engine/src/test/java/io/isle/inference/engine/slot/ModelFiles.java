package io.isle.inference.engine.slot;

import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.ModelFile;
import io.isle.lib.model.ModelParameters;
import io.isle.lib.model.ModelType;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.TrainedFeature;
import io.isle.lib.model.TrainedOutput;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.signing.Algorithm;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.SigningKey;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** Files of models for decisions with two features and one output. */
public final class ModelFiles {
  /** A day on which {@link #KEY} counts. */
  public static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

  /** A key. */
  public static final SigningKey KEY = key("one");

  /** Another one. */
  public static final SigningKey OTHER = key("two");

  private static final short[] FIRST_FEATURE = {1, 0};

  private ModelFiles() {}

  private static SigningKey key(String name) {
    LocalDate first = LocalDate.of(2026, 1, 1);
    KeyInfo info = new KeyInfo(name, first, LocalDate.of(2026, 12, 31));
    return SigningKey.generate(info, Algorithm.HYBRID);
  }

  /** A model that answers the first feature and {@code bias}. */
  public static byte[] signed(DecisionSpec spec, long serial, int bias) {
    return signed(spec, serial, bias, KEY);
  }

  /** The same, signed by another key. */
  public static byte[] signed(DecisionSpec spec, long serial, int bias, SigningKey key) {
    return ModelFile.open(unsigned(spec, serial, bias), ProofSettings.MAX_PARAM_BYTES).sign(key);
  }

  /** The same without signatures. */
  public static byte[] unsigned(DecisionSpec spec, long serial, int bias) {
    LinearForm form =
        new LinearForm(
            2, new int[] {bias}, new int[] {LinearForm.NO_THRESHOLD}, new int[1], FIRST_FEATURE);
    ModelParameters parameters =
        new ModelParameters(
            spec.name(),
            spec.schema(),
            serial,
            Instant.parse("2026-05-01T00:00:00Z"),
            List.of(new TrainedFeature(-100, 100, 0, 60), new TrainedFeature(-100, 100, 0, 60)),
            List.of(new TrainedOutput(-1000, 1000)));
    return ModelFile.seal(ModelType.LINEAR, 2, 1, spec.budgetNs(), parameters.bytes(form.bytes()));
  }
}
