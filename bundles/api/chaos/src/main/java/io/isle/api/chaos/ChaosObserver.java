package io.isle.api.chaos;

import org.osgi.annotation.versioning.ConsumerType;

/** Receives the progress of a run, on the thread of the run. */
@ConsumerType
@FunctionalInterface
public interface ChaosObserver {
  /** Called with one line for output. */
  void progress(String line);
}
