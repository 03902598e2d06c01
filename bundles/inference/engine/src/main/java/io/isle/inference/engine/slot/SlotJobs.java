package io.isle.inference.engine.slot;

import io.isle.api.inference.DecisionPoint;
import io.isle.inference.engine.load.ModelLoader.Demand;
import io.isle.lib.signing.TrustedKey;
import java.util.List;
import java.util.Optional;

/**
 * Models that serve only while a job runs. The slot's own models, and what was decided about them,
 * are untouched meanwhile. Pure functions on a slot; thread-safe.
 */
public final class SlotJobs {
  private SlotJobs() {}

  /**
   * Proves a model and lets it serve until {@link #end}.
   *
   * @param key counts for this model besides the trusted keys
   */
  public static void begin(ModelSlot slot, byte[] file, TrustedKey key) {
    slot.run(
        () -> {
          DecisionPoint point = slot.freePoint();
          Demand demand = new Demand(Optional.empty(), List.of(key), false);
          slot.job(slot.models().prove(file, point, slot.budgetNs(), demand));
        });
  }

  /** The slot's own models serve again; false if there was none of a job. */
  public static boolean end(ModelSlot slot) {
    return slot.locked(
        () -> {
          boolean had = slot.hasJob();
          if (had) {
            slot.job(null);
          }
          return had;
        });
  }
}
