package io.isle.lib.model;

import io.isle.api.inference.DecisionSpec;
import io.isle.lib.signing.TrustedKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a proof demands besides the format.
 *
 * @param decision the decision that the model must be for; none accepts any
 * @param newest the newest model of the slot: an older serial is refused; none accepts any
 * @param budgetNs time limit of the decision, in nanoseconds
 * @param maxParamBytes most bytes of parameters
 * @param keys trusted keys of models
 * @param allowUnsigned whether a file without signatures passes; wrong signatures never pass
 * @param now time at which a key must be valid
 */
public record ProofSettings(
    Optional<DecisionSpec> decision,
    Optional<SerialMark> newest,
    long budgetNs,
    int maxParamBytes,
    List<TrustedKey> keys,
    boolean allowUnsigned,
    Instant now) {
  /** Default of {@link #maxParamBytes}. */
  public static final int MAX_PARAM_BYTES = 1 << 20;

  /** Copies the list. */
  public ProofSettings {
    keys = List.copyOf(keys);
  }

  /** Settings for a model of any decision, with the default limits: of tools and tests. */
  public static ProofSettings any(List<TrustedKey> keys, Instant now) {
    return new ProofSettings(
        Optional.empty(),
        Optional.empty(),
        DecisionSpec.BUDGET_NS,
        MAX_PARAM_BYTES,
        keys,
        false,
        now);
  }

  /** The same for this decision, with its time limit. */
  public ProofSettings forDecision(DecisionSpec spec) {
    return new ProofSettings(
        Optional.of(spec), newest, spec.budgetNs(), maxParamBytes, keys, allowUnsigned, now);
  }

  /** The same with another time limit. */
  public ProofSettings withBudget(long ns) {
    return new ProofSettings(decision, newest, ns, maxParamBytes, keys, allowUnsigned, now);
  }

  /** The same with another limit of parameters. */
  public ProofSettings withMaxParams(int bytes) {
    return new ProofSettings(decision, newest, budgetNs, bytes, keys, allowUnsigned, now);
  }

  /** The same, refusing models that are older than this one. */
  public ProofSettings notOlderThan(SerialMark mark) {
    return new ProofSettings(
        decision, Optional.of(mark), budgetNs, maxParamBytes, keys, allowUnsigned, now);
  }

  /** The same, accepting files without signatures. */
  public ProofSettings unsignedToo() {
    return new ProofSettings(decision, newest, budgetNs, maxParamBytes, keys, true, now);
  }
}
