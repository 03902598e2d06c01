package io.isle.fabric.jobs;

import java.util.List;

/**
 * A fault of a ring that a job has brought about. Immutable.
 *
 * @param fault its name
 * @param nodes nodes that a report of the fault may name
 * @param ns CLOCK_MONOTONIC just before the fault
 */
record FaultMoment(String fault, List<String> nodes, long ns) {
  FaultMoment {
    nodes = List.copyOf(nodes);
  }
}
