package io.isle.api.chaos;

import org.osgi.annotation.versioning.ConsumerType;

/** Hears of a run, on the thread that runs it. */
@ConsumerType
@FunctionalInterface
public interface ChaosObserver {
  /** A line for people. */
  void progress(String line);
}
