package io.isle.inference.engine.fallback;

/** What a machine does to the calls of its scope. */
public interface FallbackGate {
  /** The model answers. */
  void open();

  /** The rule answers. */
  void close();

  /** The next call tries the model, then the rule answers until more is said. */
  void allowTrial();
}
