package io.isle.api.inference;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A decision point for owners that bring none: a service with the property {@value #DECISION}. Its
 * deciders never answer beyond what the features permit, whether a model or the rule decided, and
 * live on while the engine of inference comes and goes. Thread-safe.
 */
@ProviderType
public interface CheckedDecisions {
  /** Property of the service: name of the decision. */
  String DECISION = "isle.decision";

  /** Features, outputs and time limit; constant. */
  DecisionSpec spec();

  /**
   * Opens a decider. Its owner closes it. Arguments as of {@link Deciders#open}.
   *
   * @throws InferenceException EINVAL
   */
  Decider open(String group, int outstanding, Runnable yieldHook);
}
