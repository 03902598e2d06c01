package io.isle.inference.engine;

import io.isle.api.observe.AuditTrail;

/** What the other components of this bundle use of the engine. */
public interface EngineAccess {
  /** All slots. */
  InferenceEngine engine();

  /** Records actions. */
  AuditTrail trail();
}
