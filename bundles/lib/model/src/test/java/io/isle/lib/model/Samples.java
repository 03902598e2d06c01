package io.isle.lib.model;

import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.engine.Coefficients;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.ModelForm;
import io.isle.lib.signing.Algorithm;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.SigningKey;
import io.isle.lib.signing.TrustedKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Consumer;

/** A sound model, keys, and files that are sound but for one change. */
final class Samples {
  static final DecisionSpec SPEC =
      new DecisionSpec(
          "sample",
          List.of(
              new DecisionFeature("size", "B", 0, 1000),
              new DecisionFeature("depth", "count", 0, 64)),
          List.of(new DecisionOutput("time", "ns", 0, 100_000, Outside.CLAMP)),
          1000);
  static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  static final long SERIAL = 7;

  /** Bound of {@link #FORM}: 3 + 2 x 2 ns. */
  static final Coefficients COEFFICIENTS = new Coefficients(3000, 0, 0, 2000, 0, 0);

  static final long BOUND_NS = 7;
  static final LinearForm FORM =
      new LinearForm(
          2, new int[] {5}, new int[] {LinearForm.NO_THRESHOLD}, new int[1], new short[] {3, 2});
  static final ModelParameters PARAMETERS =
      new ModelParameters(
          SPEC.name(),
          SPEC.schema(),
          SERIAL,
          Instant.parse("2026-05-01T00:00:00Z"),
          List.of(new TrainedFeature(0, 1000, 400, 0xFFFF_FFFFL), new TrainedFeature(1, 9, 4, 2)),
          List.of(new TrainedOutput(5, 3100)));
  static final SigningKey KEY = key("one", Algorithm.HYBRID);
  static final SigningKey OTHER = key("two", Algorithm.HYBRID);
  static final SigningKey LARGE = key("large", Algorithm.HYBRID_87);
  static final byte[] UNSIGNED = file(PARAMETERS);
  static final byte[] SIGNED = signed(UNSIGNED, KEY);

  private Samples() {}

  private static SigningKey key(String name, Algorithm algorithm) {
    LocalDate first = LocalDate.of(2026, 1, 1);
    return SigningKey.generate(new KeyInfo(name, first, LocalDate.of(2026, 12, 31)), algorithm);
  }

  static byte[] file(ModelParameters parameters) {
    return ModelFile.seal(ModelType.LINEAR, 2, 1, SPEC.budgetNs(), parameters.bytes(FORM.bytes()));
  }

  /** A sound file of another type, if the form has two features and an output. */
  static byte[] file(ModelForm form) {
    return ModelFile.seal(form.type(), 2, 1, SPEC.budgetNs(), PARAMETERS.bytes(form.bytes()));
  }

  static byte[] signed(byte[] file, SigningKey key) {
    return ModelFile.open(file, ProofSettings.MAX_PARAM_BYTES).sign(key);
  }

  /** A change of a sound file whose hash and signatures are made again. */
  static byte[] changed(Consumer<ByteBuffer> change) {
    byte[] file = UNSIGNED.clone();
    change.accept(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN));
    return signed(rehashed(file), KEY);
  }

  /** With the hash of what the file has now. */
  static byte[] rehashed(byte[] file) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(file, 0, 36);
      digest.update(file, ModelFile.HEADER_BYTES, file.length - ModelFile.HEADER_BYTES);
      System.arraycopy(digest.digest(), 0, file, 36, 32);
      return file;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static ProofSettings settings(SigningKey... trusted) {
    List<TrustedKey> keys = List.of(trusted).stream().map(SigningKey::publicKey).toList();
    return ProofSettings.any(keys, NOW).forDecision(SPEC);
  }

  static ProvenModel prove(byte[] file, ProofSettings settings) {
    return ModelProof.prove(file, settings, () -> COEFFICIENTS, () -> COEFFICIENTS);
  }
}
