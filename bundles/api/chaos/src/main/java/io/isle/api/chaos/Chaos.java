package io.isle.api.chaos;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Runs a workload with verified results under random faults, on a node started for this purpose
 * (framework property {@link #PROPERTY}). A run makes devices, restarts bundles and kills driver
 * hosts. One run at a time. Thread-safe.
 */
@ProviderType
public interface Chaos {
  /** Framework property that must have the value {@code true}. */
  String PROPERTY = "isle.chaos";

  /**
   * Runs to the end in the calling thread. An interrupt ends the run after the running faults; the
   * report then shows the progress.
   *
   * @throws ChaosException if the node was not started for this purpose, or another run is in
   *     progress
   */
  ChaosReport run(ChaosRequest request, ChaosObserver observer);
}
