package io.isle.fabric.ring.process.child;

import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingHealth;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.fabric.ring.health.FailureChange;
import java.util.List;

/**
 * Reports that fit in a message, whatever neighbours tell: a neighbour can report any number of
 * nodes. Pure functions.
 */
final class Bounded {
  private static final int FAILURES = 16;
  private static final int REPORTERS = 16;
  private static final int TEXT = 300;

  private Bounded() {}

  /** The newest failures of those that the node knows. */
  static RingNodeInfo of(RingNodeInfo node) {
    RingHealth all = node.health();
    List<NodeFailure> failures = all.failures().stream().limit(FAILURES).map(Bounded::of).toList();
    return failures.equals(all.failures())
        ? node
        : node.with(
            new RingHealth(
                failures,
                all.members(),
                all.membersNs(),
                all.rolls(),
                all.failed(),
                all.rejoins(),
                all.notices(),
                all.dropped()));
  }

  /** News of a node. */
  static FailureChange of(FailureChange change) {
    return new FailureChange(of(change.failure()), change.own());
  }

  private static NodeFailure of(NodeFailure failure) {
    return new NodeFailure(
        failure.node(),
        failure.address(),
        failure.cause(),
        failure.frame(),
        failure.silentNs(),
        failure.detectedNs(),
        failure.endedNs(),
        failure.reporters().stream().limit(REPORTERS).toList(),
        cut(failure.reason()),
        cut(failure.remedy()));
  }

  private static String cut(String text) {
    if (text.length() <= TEXT) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(TEXT - 1)) ? TEXT - 1 : TEXT;
    return text.substring(0, end) + "...";
  }
}
