package io.isle.inference.engine.decide;

import io.isle.inference.engine.distribution.DistributionLimits;
import io.isle.inference.engine.distribution.DistributionWatch;

/**
 * The watch over one decider's features for one model.
 *
 * @param model whose training they are compared with
 * @param watch of the deciding thread
 */
record Watched(LoadedModel model, DistributionWatch watch) {
  static final Watched NOTHING = new Watched(null, null);

  static Watched of(LoadedModel model, DistributionLimits limits) {
    return model == null ? NOTHING : new Watched(model, model.watch(limits));
  }
}
