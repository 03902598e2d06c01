package io.isle.fabric.jobs;

import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingNodeInfo;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Failures of nodes that a master reports during a step. Used by one thread. */
final class FailureWatch {
  private record Key(String node, long detectedNs) {}

  private final long beginNs;
  private final Consumer<NodeFailure> told;
  private final Map<Key, NodeFailure> seen = new LinkedHashMap<>();

  /**
   * @param beginNs earlier failures do not count
   * @param told receives each failure once
   */
  FailureWatch(long beginNs, Consumer<NodeFailure> told) {
    this.beginNs = beginNs;
    this.told = told;
  }

  void look(RingNodeInfo master) {
    for (NodeFailure failure : master.health().failures()) {
      Key key = new Key(failure.node(), failure.detectedNs());
      if (failure.detectedNs() - beginNs >= 0 && seen.put(key, failure) == null) {
        told.accept(failure);
      }
    }
  }

  /** Oldest first, with all that was reported of each. */
  List<NodeFailure> failures() {
    return seen.values().stream()
        .sorted(Comparator.comparingLong(NodeFailure::detectedNs))
        .toList();
  }
}
