package io.isle.apps.jobs.run;

import java.util.List;

/**
 * How pieces of a step are made up: inputs are cut at whole units, and results follow from units.
 *
 * @param lanes at least one; those with input first
 * @param partial whether the last unit of an input may be shorter; only with one input
 */
record Layout(List<Lane> lanes, boolean partial) {
  Layout {
    lanes = List.copyOf(lanes);
  }

  /** Bytes of input for each unit. */
  long inputBytes() {
    return lanes.stream().mapToLong(Lane::in).sum();
  }

  /** Device memory for each unit. */
  long unitBytes() {
    return lanes.stream().filter(lane -> !lane.sum()).mapToLong(lane -> lane.bytes(1)).sum();
  }

  /** Device memory for each piece besides that of its units. */
  long fixedBytes() {
    return lanes.stream().filter(Lane::sum).mapToLong(Lane::out).sum();
  }
}
