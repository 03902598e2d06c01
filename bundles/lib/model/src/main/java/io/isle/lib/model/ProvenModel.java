package io.isle.lib.model;

import io.isle.lib.signing.TrustedKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A model whose file passed all checks. Immutable; keeps nothing of the file but what it needs.
 *
 * @param header what the header says
 * @param decision name of the decision that it is for
 * @param schema {@link io.isle.api.inference.DecisionSpec#schema} of the decision
 * @param serial number that rises with each model of a decision
 * @param trainedAt time of the training
 * @param features distribution of each feature in the training
 * @param outputs range of each output in the training
 * @param engine computes its answers
 * @param boundNs proven bound of one answer on this machine, in nanoseconds
 * @param signer the trusted key of both signatures, or none if the file is unsigned
 */
public record ProvenModel(
    ModelHeader header,
    String decision,
    long schema,
    long serial,
    Instant trainedAt,
    List<TrainedFeature> features,
    List<TrainedOutput> outputs,
    ModelEngine engine,
    long boundNs,
    Optional<TrustedKey> signer) {}
