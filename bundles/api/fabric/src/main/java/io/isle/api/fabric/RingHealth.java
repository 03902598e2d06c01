package io.isle.api.fabric;

import java.util.List;

/**
 * What a node knows of all nodes of its ring, by links of dialect isle. Plain data, immutable.
 *
 * @param failures failures that last, then up to {@link #MAX_ENDED} that have ended, each part by
 *     the time of detection, the newest first
 * @param members nodes in the order of the ring, from the node behind this one to this one; of
 *     masters, else empty; also empty before the first roll call that went round
 * @param membersNs CLOCK_MONOTONIC of this machine at the end of that roll call; 0 without one
 * @param rolls roll calls that went round
 * @param failed failures since the begin of the node
 * @param rejoins nodes that came back with another session, by the roll calls of a master
 * @param notices notices that arrived since the begin of the node
 * @param dropped notices and roll calls that were dropped: too many, or of no use here
 */
public record RingHealth(
    List<NodeFailure> failures,
    List<RingMember> members,
    long membersNs,
    long rolls,
    long failed,
    long rejoins,
    long notices,
    long dropped) {
  /** Most failures that have ended and are kept. */
  public static final int MAX_ENDED = 16;

  /** Nothing is known. */
  public static final RingHealth NONE = new RingHealth(List.of(), List.of(), 0, 0, 0, 0, 0, 0);

  public RingHealth {
    failures = List.copyOf(failures);
    members = List.copyOf(members);
  }

  /** The failures that last. */
  public List<NodeFailure> lasting() {
    return failures.stream().filter(NodeFailure::lasts).toList();
  }
}
