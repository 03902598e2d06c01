package io.isle.fabric.ring.health;

import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingHealth;
import io.isle.lib.leap.isle.Notice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Failures of nodes, made from the notices of their neighbours, from their begin to their end. One
 * thread at a time.
 */
final class Failures {
  /** No path to the node. */
  private static final Set<Notice.Cause> DOWN = EnumSet.of(Notice.Cause.RESET, Notice.Cause.SILENT);

  /** Of several notices, the one that says most comes first. */
  private static final List<Notice.Cause> TELLING =
      List.of(
          Notice.Cause.LEFT,
          Notice.Cause.RESET,
          Notice.Cause.SILENT,
          Notice.Cause.STUCK,
          Notice.Cause.FAILED);

  private final String self;
  private final Map<String, NodeFailure> lasting = new LinkedHashMap<>();
  private final Deque<NodeFailure> ended = new ArrayDeque<>();
  private long count;

  Failures(String self) {
    this.self = self;
  }

  /** Failures so far. */
  long count() {
    return count;
  }

  /**
   * The notices have changed.
   *
   * @param failing all notices of failures that last
   * @return begins, other causes and ends
   */
  List<FailureChange> update(List<Notice> failing, long nowNs) {
    Map<String, List<Notice>> byNode = new HashMap<>();
    for (Notice one : failing) {
      byNode.computeIfAbsent(one.node(), any -> new ArrayList<>()).add(one);
    }
    List<FailureChange> changes = new ArrayList<>();
    end(byNode.keySet(), nowNs, changes);
    byNode.forEach(
        (node, notices) -> {
          if (!node.equals(self)) {
            look(notices, byNode, nowNs, changes);
          }
        });
    return changes;
  }

  private void end(Set<String> failing, long nowNs, List<FailureChange> changes) {
    List<String> over = lasting.keySet().stream().filter(node -> !failing.contains(node)).toList();
    for (String node : over) {
      NodeFailure was = lasting.remove(node);
      NodeFailure end = with(was, was.detectedNs(), nowNs);
      ended.addFirst(end);
      if (ended.size() > RingHealth.MAX_ENDED) {
        ended.removeLast();
      }
      changes.add(new FailureChange(end, was.reporters().contains(self)));
    }
  }

  private void look(
      List<Notice> notices,
      Map<String, List<Notice>> byNode,
      long nowNs,
      List<FailureChange> changes) {
    NodeFailure now = failure(notices, byNode, nowNs);
    NodeFailure before = lasting.get(now.node());
    boolean other = before == null || before.cause() != now.cause();
    if (other || !before.reporters().equals(now.reporters())) {
      lasting.put(now.node(), before == null ? now : with(now, before.detectedNs(), 0));
    }
    if (other) {
      count += before == null ? 1 : 0;
      changes.add(new FailureChange(lasting.get(now.node()), now.reporters().contains(self)));
    }
  }

  private static NodeFailure failure(
      List<Notice> notices, Map<String, List<Notice>> byNode, long nowNs) {
    Notice first =
        notices.stream()
            .min(Comparator.comparingInt(one -> TELLING.indexOf(one.cause())))
            .orElseThrow();
    List<String> reporters = notices.stream().map(Notice::reporter).distinct().sorted().toList();
    boolean cut = notices.stream().allMatch(one -> isMutual(one, byNode));
    FailureCause cause = cut ? FailureCause.CUT : FailureCause.valueOf(first.cause().name());
    long frame = notices.stream().mapToLong(Notice::frame).max().orElse(0);
    return new NodeFailure(
        first.node(),
        first.address(),
        cause,
        cause == FailureCause.STUCK ? first.frame() : frame,
        first.ageNs(),
        nowNs,
        0,
        reporters,
        FailureWords.reason(cause, first, reporters),
        FailureWords.remedy(cause, first));
  }

  /** Whether the node misses its reporter as the reporter misses the node. */
  private static boolean isMutual(Notice notice, Map<String, List<Notice>> byNode) {
    return DOWN.contains(notice.cause())
        && byNode.getOrDefault(notice.reporter(), List.of()).stream()
            .anyMatch(
                other -> other.reporter().equals(notice.node()) && DOWN.contains(other.cause()));
  }

  private static NodeFailure with(NodeFailure of, long detectedNs, long endedNs) {
    return new NodeFailure(
        of.node(),
        of.address(),
        of.cause(),
        of.frame(),
        of.silentNs(),
        detectedNs,
        endedNs,
        of.reporters(),
        of.reason(),
        of.remedy());
  }

  /** Lasting ones, then ended ones, the newest of each first. */
  List<NodeFailure> all() {
    List<NodeFailure> all = new ArrayList<>(lasting.values());
    all.sort(Comparator.comparingLong(NodeFailure::detectedNs).reversed());
    all.addAll(ended);
    return all;
  }
}
