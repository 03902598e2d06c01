package io.isle.api.chaos;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Runs a checked workload under random faults on a node that was started for it (framework property
 * {@link #PROPERTY}): it makes devices, restarts bundles and kills driver hosts. One run at a time.
 */
@ProviderType
public interface Chaos {
  /** Framework property that must be {@code true}. */
  String PROPERTY = "isle.chaos";

  /**
   * Runs to the end in the calling thread. Interrupting the thread ends the run.
   *
   * @throws ChaosException when the node was not started for it, a run is under way, the devices do
   *     not come up, or the thread was interrupted (exit status 130)
   */
  ChaosReport run(ChaosRequest request, ChaosObserver observer);
}
