package io.isle.inference.engine.slot;

import io.isle.api.base.Errno;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.load.ModelLoader.Demand;
import io.isle.inference.engine.store.StoredJob;
import io.isle.lib.model.ModelKeys;
import io.isle.lib.signing.TrustedKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Models that serve only while a job runs. The slot's own models, and what was decided about them,
 * are untouched meanwhile. Pure functions on a slot; thread-safe.
 */
public final class SlotJobs {
  private static final byte[] KEPT = new byte[0];

  /**
   * Whose model it is.
   *
   * @param platform another text at each start of the platform
   * @param number of the job's resource
   */
  public record Owner(String platform, int number) {
    boolean has(StoredJob job) {
      return job.platform().equals(platform) && job.owner() == number;
    }
  }

  private SlotJobs() {}

  /**
   * Proves a model and lets it serve until {@link #end}.
   *
   * @param key counts for this model besides the trusted keys
   * @return the model's hash
   * @throws InferenceException EEXIST while another job has a model here
   */
  public static String begin(ModelSlot slot, byte[] file, TrustedKey key, Owner owner) {
    return slot.locked(
        () -> {
          DecisionPoint point = slot.point();
          if (slot.hasJob()) {
            throw new InferenceException(
                Errno.EEXIST, "another job has a model of its own for " + slot.name());
          }
          SlotProofs proofs = slot.models().proofs();
          PlacedModel model = proofs.prove(file, point, slot.budgetNs(), demand(key));
          StoredJob job =
              new StoredJob(model.sha256(), owner.platform(), owner.number(), key.text());
          slot.models().job(Optional.of(job), file);
          slot.job(model);
          return model.sha256();
        });
  }

  private static Demand demand(TrustedKey key) {
    return new Demand(Optional.empty(), List.of(key), false);
  }

  /** The slot's own models serve again; false if there was none of this owner. */
  public static boolean end(ModelSlot slot, Owner owner) {
    return slot.locked(
        () -> {
          boolean had = slot.models().stored().job().filter(owner::has).isPresent();
          if (had) {
            forget(slot);
          }
          return had;
        });
  }

  /**
   * Proves the model of a job again after a restart of the engine or of the decision's owner, if
   * the job belongs to this start of the platform; else, and after a fault, it is forgotten.
   *
   * @throws io.isle.api.base.IsleException the fault
   */
  public static void resume(ModelSlot slot, String platform) {
    slot.run(
        () -> {
          StoredJob job = slot.models().stored().job().orElse(null);
          if (job == null) {
            return;
          }
          boolean serves = false;
          try {
            if (job.platform().equals(platform)) {
              slot.job(again(slot, job));
              serves = true;
            }
          } finally {
            if (!serves) {
              forget(slot);
            }
          }
        });
  }

  private static PlacedModel again(ModelSlot slot, StoredJob job) {
    TrustedKey key = ModelKeys.parse(job.key().getBytes(StandardCharsets.UTF_8));
    return slot.models().proofs().again(job.model(), slot.point(), slot.budgetNs(), demand(key));
  }

  private static void forget(ModelSlot slot) {
    slot.models().job(Optional.empty(), KEPT);
    if (slot.hasJob()) {
      slot.job(null);
    }
  }
}
