package io.isle.api.inference;

import io.isle.api.base.IsleException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The models of all decisions, for administrators. Each change is audited. Thread-safe. All methods
 * that change something throw an {@link IsleException}: EBUSY while a job uses the slot, ENOENT for
 * an unknown decision.
 */
@ProviderType
public interface Models {
  /** All decisions that have an owner, and those that have had a model, by name. */
  List<SlotInfo> slots();

  /** The slot of a decision. */
  Optional<SlotInfo> find(String name);

  /**
   * Proves a model and lets it serve its decision. The model so far is kept as the previous one.
   *
   * @param file read once
   * @param unsigned whether a file without signatures is accepted; the settings must permit it
   * @throws IsleException with the code of the fault, and the place in the file
   */
  SlotInfo load(Path file, boolean unsigned);

  /** Proves a model and scores it, without serving. As {@link #load}. */
  SlotInfo shadow(Path file, boolean unsigned);

  /** Takes out the model that serves, which becomes the previous one, and the shadow. */
  void unload(String name);

  /**
   * Lets the model decide again: the mode becomes {@code active}, and what an administrator or a
   * fault had switched off ends. A shadow becomes the model that serves.
   *
   * @param group only for this group, without a change of models and mode; empty for all
   */
  void enable(String name, String group);

  /**
   * Switches the model off: the mode becomes {@code off}.
   *
   * @param group only for this group; empty for all
   */
  void disable(String name, String group);

  /** The rule decides and the model is scored: the mode becomes {@code heuristic}. */
  void heuristic(String name);

  /**
   * Ends a fallback, also one that needs an administrator.
   *
   * @param group only that of this group; empty for all
   */
  void reset(String name, String group);

  /** Lets the previous model serve, and makes the one that serves the previous one. */
  void rollback(String name);

  /**
   * Tries the model with the next decisions.
   *
   * @param group only for this group; empty for the model's own fallback
   * @throws InferenceException EPERM when no retry can end the fallback
   */
  void retry(String name, String group);

  /**
   * Stops retries and escalation of a fallback.
   *
   * @param group only for this group; empty for the model's own fallback
   * @throws InferenceException ENOENT without a fallback
   */
  void hold(String name, String group);

  /**
   * Writes decisions with their outcomes to a file, as comma-separated values that only its owner
   * may read. Returns after the last of them, or when the time has passed.
   *
   * @param file made anew; an existing file is refused
   * @param records most decisions, at least 1
   * @param most time at most
   * @throws InterruptedException when an interrupt ended it; what was written stays
   */
  Captured capture(String name, Path file, long records, Duration most) throws InterruptedException;

  /**
   * What a capture has got.
   *
   * @param records decisions in the file
   * @param lost decisions that came faster than they could be written
   */
  record Captured(long records, long lost) {}
}
