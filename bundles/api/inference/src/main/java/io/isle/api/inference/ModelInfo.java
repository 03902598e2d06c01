package io.isle.api.inference;

import java.time.Instant;
import java.util.Objects;

/**
 * A model of a slot. Immutable.
 *
 * @param sha256 hash in its header: its identity
 * @param type kind of model, such as {@code decision_tree}
 * @param serial number that rises with each model of a decision
 * @param trainedAt time of its training
 * @param signer name and id of the key that signed it; empty for an unsigned model
 * @param features number of inputs
 * @param outputs number of outputs
 * @param paramBytes size of its parameters
 * @param maxLatencyNs most time of an answer, by its header
 * @param boundNs proven bound of an answer on this machine
 * @param counters what happened since it was loaded
 * @param score of the last 60 seconds or 200 outcomes
 */
public record ModelInfo(
    String sha256,
    String type,
    long serial,
    Instant trainedAt,
    String signer,
    int features,
    int outputs,
    int paramBytes,
    long maxLatencyNs,
    long boundNs,
    Counters counters,
    ScoreInfo score) {
  /**
   * What happened to a model since it was loaded.
   *
   * @param invocations calls of it
   * @param correct outcomes with a score of 500 and more
   * @param outcomes decisions whose outcome is known
   * @param latencyNs mean time of a measured call
   * @param fallbacks decisions of the rule while it was the one to serve
   * @param abstained calls without an answer, by its own choice
   * @param invalid calls with an output out of its range
   * @param outside decisions with a feature out of the trained range
   * @param interrupted slow calls that were quick when repeated
   */
  public record Counters(
      long invocations,
      long correct,
      long outcomes,
      long latencyNs,
      long fallbacks,
      long abstained,
      long invalid,
      long outside,
      long interrupted) {}

  /** Checks that nothing is missing. */
  public ModelInfo {
    Objects.requireNonNull(sha256, "sha256");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(trainedAt, "trainedAt");
    Objects.requireNonNull(signer, "signer");
    Objects.requireNonNull(counters, "counters");
    Objects.requireNonNull(score, "score");
  }
}
