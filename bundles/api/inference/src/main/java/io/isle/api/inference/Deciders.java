package io.isle.api.inference;

import org.osgi.annotation.versioning.ProviderType;

/** Opens the deciders of one decision point. Thread-safe. */
@ProviderType
public interface Deciders {
  /** Most outstanding decisions of a decider. */
  int OUTSTANDING = 1 << 16;

  /**
   * Opens a decider. Its owner closes it.
   *
   * @param group the group whose history the features are; a failure that its data cause stays with
   *     this group
   * @param outstanding most decisions whose outcome may be missing at a time, 1 to {@link
   *     #OUTSTANDING}; older ones are forgotten
   * @param yieldHook runs in the deciding thread between two layers of a net after {@link
   *     Decider#requestYield}; allocates and throws nothing
   * @throws InferenceException EINVAL; ECLOSED after the engine has gone
   */
  Decider open(String group, int outstanding, Runnable yieldHook);
}
