package io.isle.lib.model;

import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.body.ModelBody;
import io.isle.lib.model.engine.Coefficients;
import io.isle.lib.signing.TrustedKey;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Proves model files before they may answer (accelerator framework, 45.7). The checks in order:
 * magic, version, sizes, hash, signatures, type and counts, the common parameters, decision and
 * schema, serial, the body of the type, time. The first that fails ends the proof.
 */
public final class ModelProof {
  /** Before a bound above the header's is believed. */
  private static final int MORE_MEASUREMENTS = 2;

  private static final Coefficients NO_TIME = new Coefficients(0, 0, 0, 0, 0, 0);

  private ModelProof() {}

  /**
   * Proves a file.
   *
   * @param file its bytes, copied first
   * @throws ModelException the first fault, with its place
   */
  public static ProvenModel prove(byte[] file, ProofSettings settings) {
    return prove(file, settings, Coefficients::ofThisMachine, Coefficients::measured);
  }

  /**
   * All checks but that of the bound, which is another one on each machine: for tools. The bound is
   * 0 in the answer.
   *
   * @throws ModelException the first fault, with its place
   */
  public static ProvenModel proveButTime(byte[] file, ProofSettings settings) {
    return prove(file, settings, () -> NO_TIME, () -> NO_TIME);
  }

  /**
   * The same with other coefficients, of which only a file that is sound so far has need.
   *
   * @param anew coefficients of another moment: other work on the machine makes them too large
   */
  static ProvenModel prove(
      byte[] bytes,
      ProofSettings settings,
      Supplier<Coefficients> coefficients,
      Supplier<Coefficients> anew) {
    ModelFile file = ModelFile.open(bytes, settings.maxParamBytes());
    Optional<TrustedKey> signer =
        ModelSignatures.signer(file, settings.keys(), settings.allowUnsigned(), settings.now());
    ModelType type =
        ModelType.of(file.type())
            .orElseThrow(
                () ->
                    new ModelException(
                        ModelFault.BAD_TYPE,
                        "model_type",
                        Integer.toUnsignedString(file.type()) + " is not 0 to 3"));
    int features =
        count(file.features(), DecisionSpec.FEATURES, ModelFault.BAD_FEATURES, "input_features");
    int outputs = count(file.outputs(), DecisionSpec.OUTPUTS, ModelFault.BAD_OUTPUTS, "outputs");
    ByteBuffer in = file.parameters();
    int paramBytes = in.remaining();
    ModelParameters parameters = ModelParameters.parse(in, features, outputs);
    settings.decision().ifPresent(spec -> requireFor(spec, parameters));
    settings.newest().ifPresent(mark -> requireNewer(mark, parameters.serial(), file.sha256()));
    ModelBody body = ModelBody.prove(type, in, features, outputs);
    long boundNs = coefficients.get().boundNs(body.cost());
    for (int i = 0; i < MORE_MEASUREMENTS && isOver(boundNs, file.maxLatencyNs()); i++) {
      boundNs = Math.min(boundNs, anew.get().boundNs(body.cost()));
    }
    requireTime(boundNs, file.maxLatencyNs(), settings.budgetNs());
    return new ProvenModel(
        new ModelHeader(type, features, outputs, paramBytes, file.maxLatencyNs(), file.sha256()),
        parameters.decision(),
        parameters.schema(),
        parameters.serial(),
        parameters.trainedAt(),
        parameters.features(),
        parameters.outputs(),
        body.engine(),
        boundNs,
        signer);
  }

  private static int count(int found, int most, ModelFault fault, String place) {
    if (found < 1 || found > most) {
      throw new ModelException(
          fault, place, Integer.toUnsignedString(found) + " is not 1 to " + most);
    }
    return found;
  }

  private static void requireFor(DecisionSpec spec, ModelParameters parameters) {
    if (!parameters.decision().equals(spec.name())) {
      throw new ModelException(
          ModelFault.OTHER_DECISION,
          "decision",
          "the model is for " + parameters.decision() + ", not for " + spec.name());
    }
    if (parameters.schema() != spec.schema()) {
      throw new ModelException(
          ModelFault.OTHER_SCHEMA,
          "schema",
          "%016x is not %016x, that of %s: its features or outputs are others"
              .formatted(parameters.schema(), spec.schema(), spec.name()));
    }
    requireCount("features", parameters.features().size(), spec.features().size());
    requireCount("outputs", parameters.outputs().size(), spec.outputs().size());
  }

  /** The schema is a number in the file: anybody can write it into one of another shape. */
  private static void requireCount(String what, int found, int wanted) {
    if (found != wanted) {
      throw new ModelException(
          ModelFault.COUNTS_DIFFER,
          "parameters." + what,
          "the model has " + found + " " + what + ", the decision " + wanted);
    }
  }

  private static void requireNewer(SerialMark newest, long serial, String sha256) {
    if (serial < newest.serial()) {
      throw new ModelException(
          ModelFault.OLD_SERIAL,
          "serial",
          serial + " is below " + newest.serial() + ", that of the newest model of this decision");
    }
    if (serial == newest.serial() && !sha256.equals(newest.sha256())) {
      throw new ModelException(
          ModelFault.SERIAL_REUSED,
          "serial",
          serial + " is that of another model, " + newest.sha256());
    }
  }

  private static boolean isOver(long boundNs, long headerNs) {
    return Long.compareUnsigned(boundNs, headerNs) > 0;
  }

  private static void requireTime(long boundNs, long headerNs, long budgetNs) {
    if (isOver(boundNs, headerNs)) {
      throw new ModelException(
          ModelFault.OVER_HEADER,
          "max_latency_ns",
          "the bound on this machine, "
              + boundNs
              + " ns, is above the header's "
              + Long.toUnsignedString(headerNs)
              + " ns");
    }
    if (Long.compareUnsigned(headerNs, budgetNs) > 0) {
      throw new ModelException(
          ModelFault.OVER_BUDGET,
          "max_latency_ns",
          Long.toUnsignedString(headerNs)
              + " ns are above the time limit of the decision, "
              + budgetNs
              + " ns");
    }
  }
}
