package io.isle.faces.shell.ring;

import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.ring.drive.Refusals;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Waits until packets can travel: each node is connected to its next node. Of dialect leap, the
 * next node knows its neighbour only from the first packet on, and listens until then.
 */
final class Running {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

  /** For processes that start. */
  private static final long START_NS = TimeUnit.SECONDS.toNanos(20);

  private static final long LOOK_MS = 20;

  private Running() {}

  /**
   * Waits up to five seconds until all nodes are ready; up to twenty if a node has a
   * process of its own, which has to start.
   *
   * @return the nodes afterwards
   * @throws ShellException when the thread is interrupted
   */
  static List<RingNodeInfo> await(Services services, List<String> names) {
    boolean own =
        services.with(
            RingAdmin.class,
            admin -> names.stream().anyMatch(name -> admin.process(name).isPresent()));
    long end = System.nanoTime() + (own ? START_NS : PATIENCE_NS);
    List<RingNodeInfo> nodes = nodes(services, names);
    while (nodes.stream().anyMatch(node -> !isReady(node) && node.state() != NodeState.FAILED)
        && System.nanoTime() - end < 0) {
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ShellException.interrupted(
            "the wait was interrupted; the settings stay, see ring:status");
      }
      nodes = nodes(services, names);
    }
    return nodes;
  }

  private static List<RingNodeInfo> nodes(Services services, List<String> names) {
    return services.with(RingAdmin.class, RingAdmin::nodes).stream()
        .filter(node -> names.contains(node.name()))
        .toList();
  }

  private static boolean isReady(RingNodeInfo node) {
    PortState prev = node.prev().state();
    boolean accepts = prev == PortState.UP || prev == PortState.LISTENING;
    return node.state() == NodeState.RUNNING
        || node.state() == NodeState.WAITING && node.next().state() == PortState.UP && accepts;
  }

  /**
   * Fails with the reasons of nodes that are not ready.
   *
   * @param done what was done, for the message
   */
  static void check(List<RingNodeInfo> nodes, String done) {
    List<String> reasons =
        nodes.stream()
            .filter(node -> !isReady(node))
            .map(node -> node.name() + ": " + Refusals.links(node))
            .toList();
    if (!reasons.isEmpty()) {
      throw ShellException.failed(
          done + ", but packets cannot travel yet: " + String.join("; ", reasons));
    }
  }
}
