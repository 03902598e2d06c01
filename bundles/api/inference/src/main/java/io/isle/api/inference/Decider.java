package io.isle.api.inference;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Decides for one owner: by the model of the slot if that is sound, else by the rule. Without
 * locks, allocations and exceptions.
 */
@ProviderType
public interface Decider extends AutoCloseable {
  /**
   * Decides. One thread at a time. Always fills {@code out}, also after {@link #close} and without
   * a model.
   *
   * @param features one value a feature, in the order of the spec; kept unchanged
   * @param out one value an output
   * @return the ticket for {@link #outcome}
   */
  long decide(int[] features, int[] out);

  /**
   * Tells how it went. One thread at a time, which may be another one than that of {@link #decide};
   * or never. An unknown or forgotten ticket is ignored.
   *
   * @param actual one value an output; copied
   */
  void outcome(long ticket, int[] actual);

  /** Asks a running {@link #decide} to run the yield hook between two layers. Any thread. */
  void requestYield();

  /**
   * Whether a model or a shadow would see the features: while false, an owner may skip gathering
   * them and use the rule. Any thread.
   */
  boolean wanted();

  /** Ends the decider. Idempotent; any thread. */
  @Override
  void close();
}
