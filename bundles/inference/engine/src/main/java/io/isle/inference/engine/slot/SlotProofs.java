package io.isle.inference.engine.slot;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.load.ModelLoader;
import io.isle.inference.engine.load.ModelLoader.Demand;
import io.isle.inference.engine.store.SlotStore;
import io.isle.inference.engine.store.StoredModel;
import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;

/** Proves files of one slot, new and kept ones; changes nothing. */
record SlotProofs(String name, SlotStore store, ModelLoader loader, MonotonicClock clock) {
  /** Proves a file. */
  PlacedModel prove(byte[] file, DecisionPoint point, long budgetNs, Demand demand) {
    return new PlacedModel(point.spec(), loader.load(file, point, budgetNs, demand), clock);
  }

  /** Proves a kept file that was accepted before. */
  PlacedModel again(StoredModel kept, DecisionPoint point, long budgetNs) {
    return again(kept, point, budgetNs, Demand.again(kept.unsigned()));
  }

  /** Proves a kept file. */
  PlacedModel again(StoredModel kept, DecisionPoint point, long budgetNs, Demand demand) {
    byte[] file =
        store
            .model(name, kept, loader.mostBytes())
            .orElseThrow(
                () ->
                    new InferenceException(
                        Errno.ENOENT, "the kept file of model " + kept.sha256() + " is gone"));
    PlacedModel model = prove(file, point, budgetNs, demand);
    if (!model.sha256().equals(kept.sha256())) {
      throw new ModelException(
          ModelFault.BAD_HASH, "sha256", "the kept file is that of " + model.sha256());
    }
    return model;
  }

  /** Why a model may not go on to decide; empty if it may. */
  String objection(PlacedModel model) {
    return loader.objection(model.proven());
  }
}
