package io.isle.inference.engine.slot;

import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;

/** Hears what happens in slots. Called under a lock: neither blocks nor calls back. */
public interface SlotEvents {
  /** A fallback has changed. */
  void fallback(FallbackEvent event);

  /** A drift has begun or ended. */
  void drift(DriftEvent event);
}
