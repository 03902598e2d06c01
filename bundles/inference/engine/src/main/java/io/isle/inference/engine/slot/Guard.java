package io.isle.inference.engine.slot;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import io.isle.inference.engine.decide.Mode;
import io.isle.inference.engine.decide.SlotGates;
import io.isle.inference.engine.fallback.ModelFallback;
import io.isle.inference.engine.settings.EngineSettings;
import java.util.function.Consumer;

/**
 * Fallbacks and the gates that they act on.
 *
 * @param gates read by deciding threads
 * @param fallback says what the gates do
 */
record Guard(SlotGates gates, ModelFallback fallback) {
  static Guard of(
      String name, EngineSettings settings, MonotonicClock clock, Consumer<FallbackEvent> events) {
    SlotGates gates = new SlotGates();
    Guard guard = new Guard(gates, new ModelFallback(name, gates, settings.times(), clock, events));
    guard.limits(settings);
    return guard;
  }

  /** Other times and limits. */
  void limits(EngineSettings settings) {
    fallback.limits(settings.times(), settings.groups());
  }

  /** A mode that is off is an administrator's fallback; another one ends it. */
  void follow(Mode mode) {
    boolean off = fallback.state().reason().orElse(null) instanceof FallbackReason.ModelDisabled;
    if (mode == Mode.OFF) {
      fallback.disable();
    } else if (off) {
      fallback.reset();
    }
  }

  /** Another model serves: what was the old one's ends. */
  void modelReplaced() {
    gates.forgetReports();
    fallback.modelReplaced();
  }

  /** Hears what calls have reported. */
  void hear() {
    gates.tell(fallback);
  }
}
