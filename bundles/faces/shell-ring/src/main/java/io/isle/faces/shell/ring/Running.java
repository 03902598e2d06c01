package io.isle.faces.shell.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Changes of rings by commands, and the wait until packets can travel again. */
final class Running {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

  /** For processes that start. */
  private static final long START_NS = TimeUnit.SECONDS.toNanos(20);

  private Running() {}

  /** Makes a change; a wrong argument is a mistake in the command line. */
  static <R> R changed(Services services, Function<RingAdmin, R> change) {
    try {
      return services.with(RingAdmin.class, change);
    } catch (RingException e) {
      throw e.code() == Errno.EINVAL ? ShellException.usage(e.getMessage()) : e;
    }
  }

  /**
   * Waits up to five seconds until all nodes are ready; up to twenty if a node has a process of its
   * own, which has to start.
   *
   * @return the nodes afterwards
   * @throws ShellException when the thread is interrupted
   */
  static List<RingNodeInfo> await(Services services, List<String> names) {
    return services.with(
        RingAdmin.class,
        admin -> {
          try {
            boolean own = names.stream().anyMatch(name -> admin.process(name).isPresent());
            return admin.await(names, own ? START_NS : PATIENCE_NS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ShellException.interrupted(
                "the wait was interrupted; the settings stay, see ring:status");
          }
        });
  }

  /**
   * Fails with the reasons of nodes that are not ready.
   *
   * @param done what was done, for the message
   */
  static void check(List<RingNodeInfo> nodes, String done) {
    List<String> reasons =
        nodes.stream()
            .filter(node -> !node.isReady())
            .map(node -> node.name() + ": " + node.links())
            .toList();
    if (!reasons.isEmpty()) {
      throw ShellException.failed(
          done + ", but packets cannot travel yet: " + String.join("; ", reasons));
    }
  }
}
