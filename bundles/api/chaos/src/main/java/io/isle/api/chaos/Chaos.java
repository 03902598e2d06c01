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
   * Runs to the end in the calling thread. Interrupting the thread ends the run, after what is
   * under way: the report then says how far it came.
   *
   * @throws ChaosException when the node was not started for it, or a run is under way
   */
  ChaosReport run(ChaosRequest request, ChaosObserver observer);
}
