package io.isle.inference.engine;

import io.isle.api.inference.DecisionPoint;

/** Lets owners of decisions go, with a bound. */
final class Unbinding {
  private static final System.Logger LOG = System.getLogger(Unbinding.class.getName());
  private static final long MOST_MS = 2000;

  private Unbinding() {}

  /** Calls {@link DecisionPoint#unbind}; returns after two seconds at the latest. */
  static void of(DecisionPoint point) {
    Thread caller =
        Thread.ofPlatform().daemon().name("isle-inference-unbind").start(() -> unbind(point));
    try {
      caller.join(MOST_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (caller.isAlive()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} still uses its deciders after {1} ms; they answer by the rule",
          point.getClass().getName(),
          MOST_MS);
    }
  }

  private static void unbind(DecisionPoint point) {
    try {
      point.unbind();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "unbind of " + point.getClass().getName() + " failed", e);
    }
  }
}
