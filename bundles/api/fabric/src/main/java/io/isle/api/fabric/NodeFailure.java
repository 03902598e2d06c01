package io.isle.api.fabric;

import java.util.List;

/**
 * The failure of a node of a ring, as its neighbours report it. Plain data, immutable.
 *
 * @param node name of the failed node
 * @param address address that it listens on; empty if not known
 * @param cause why it counts as failed
 * @param frame number of the packet in work if the node is stuck; else of the last packet that a
 *     neighbour exchanged with it; 0 if not known
 * @param silentNs nanoseconds from its last sign of life to its detection; of a stuck node, of the
 *     work on the packet
 * @param detectedNs CLOCK_MONOTONIC of the machine that has this report, at the first report of
 *     this failure
 * @param endedNs CLOCK_MONOTONIC of that machine at the end of the failure; 0 while it lasts
 * @param reporters names of the nodes that report it, sorted
 * @param reason what happened, in words
 * @param remedy what to do, in words
 */
public record NodeFailure(
    String node,
    String address,
    FailureCause cause,
    long frame,
    long silentNs,
    long detectedNs,
    long endedNs,
    List<String> reporters,
    String reason,
    String remedy) {
  public NodeFailure {
    reporters = List.copyOf(reporters);
  }

  /** Whether the failure lasts. */
  public boolean lasts() {
    return endedNs == 0;
  }

  /** Reason and remedy as one sentence. */
  public String text() {
    return remedy.isEmpty() ? reason : reason + ": " + remedy;
  }
}
