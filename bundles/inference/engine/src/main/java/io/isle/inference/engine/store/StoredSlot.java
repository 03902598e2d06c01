package io.isle.inference.engine.store;

import io.isle.inference.engine.fallback.SavedFallback;
import io.isle.lib.model.SerialMark;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a slot keeps over restarts. Immutable.
 *
 * @param serving the model that decides
 * @param shadow the model that is only scored
 * @param previous the model that decided before
 * @param newest the newest signed model that the slot has had
 * @param deployed by name of a file of the folder {@code deploy}: the hash of its model
 * @param decisions fallbacks of the model and of groups
 * @param job the model of a job
 */
public record StoredSlot(
    Optional<StoredModel> serving,
    Optional<StoredModel> shadow,
    Optional<StoredModel> previous,
    Optional<SerialMark> newest,
    Map<String, String> deployed,
    List<SavedFallback> decisions,
    Optional<StoredJob> job) {
  /** A slot that has had no model. */
  public static final StoredSlot EMPTY =
      new StoredSlot(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          List.of(),
          Optional.empty());

  /** Copies map and list. */
  public StoredSlot {
    deployed = Map.copyOf(deployed);
    decisions = List.copyOf(decisions);
  }

  /** A copy with other models. */
  public StoredSlot withModels(
      Optional<StoredModel> nowServing,
      Optional<StoredModel> nowShadow,
      Optional<StoredModel> nowPrevious) {
    return new StoredSlot(nowServing, nowShadow, nowPrevious, newest, deployed, decisions, job);
  }

  /** A copy with another newest model. */
  public StoredSlot withNewest(SerialMark mark) {
    return new StoredSlot(serving, shadow, previous, Optional.of(mark), deployed, decisions, job);
  }

  /** A copy in which a file of {@code deploy} has this model, or is gone if the hash is empty. */
  public StoredSlot withDeployed(String file, Optional<String> sha256) {
    Map<String, String> now = new TreeMap<>(deployed);
    sha256.ifPresentOrElse(hash -> now.put(file, hash), () -> now.remove(file));
    return new StoredSlot(serving, shadow, previous, newest, now, decisions, job);
  }

  /** A copy with other fallbacks. */
  public StoredSlot withDecisions(List<SavedFallback> now) {
    return new StoredSlot(serving, shadow, previous, newest, deployed, now, job);
  }

  /** A copy with the model of another job, or of none. */
  public StoredSlot withJob(Optional<StoredJob> now) {
    return new StoredSlot(serving, shadow, previous, newest, deployed, decisions, now);
  }

  /** Hashes of the files that the slot needs. */
  Set<String> hashes() {
    Set<String> hashes = new LinkedHashSet<>();
    serving.ifPresent(model -> hashes.add(model.sha256()));
    shadow.ifPresent(model -> hashes.add(model.sha256()));
    previous.ifPresent(model -> hashes.add(model.sha256()));
    job.ifPresent(one -> hashes.add(one.sha256()));
    return hashes;
  }
}
