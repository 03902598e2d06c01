package io.isle.api.inference;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Hears of models that lose their decisions and get them back: a service of whoever wants to know.
 * Each listener is called by one thread at a time, in the order of the events, which its slowness
 * delays. What it throws is logged.
 */
@ConsumerType
public interface InferenceListener {
  /** The event {@code isle_inference_fallback}. */
  default void onFallback(FallbackEvent event) {}

  /** The event {@code isle_inference_drift}. */
  default void onDrift(DriftEvent event) {}
}
