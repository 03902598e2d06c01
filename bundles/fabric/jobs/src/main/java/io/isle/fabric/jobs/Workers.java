package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import io.isle.api.jobs.JobException;
import java.util.Comparator;
import java.util.List;

/** The nodes of a ring as a step finds them. Pure functions. */
final class Workers {
  private static final String MIX = "mix";

  private Workers() {}

  /** The master with this name, or the only master of the ring with this name. */
  static RingNodeInfo master(List<RingNodeInfo> all, String name) {
    List<RingNodeInfo> masters =
        all.stream()
            .filter(node -> node.role() == RingRole.MASTER)
            .filter(node -> node.name().equals(name) || node.ring().equals(name))
            .toList();
    if (masters.size() == 1) {
      return masters.getFirst();
    }
    throw JobException.failed(
        Errno.ENOENT,
        "'"
            + name
            + (masters.isEmpty()
                ? "' is no master, and no ring with a master on this platform; see ring:list"
                : "' has several masters on this platform; name one of them"),
        null);
  }

  /**
   * The layers that all workers of a ring compute together by the stage {@code mix}.
   *
   * @throws JobException EINVAL if a node is elsewhere, has another stage, or leaves a layer out
   */
  static Mix mix(List<RingNodeInfo> all, RingNodeInfo master) {
    List<RingNodeInfo> workers =
        all.stream()
            .filter(node -> node.ring().equals(master.ring()) && node.range().isPresent())
            .sorted(Comparator.comparing(node -> node.range().orElseThrow().start()))
            .toList();
    if (workers.isEmpty()) {
      throw refused("the workers of the ring are not on this platform");
    }
    int start = workers.getFirst().range().orElseThrow().start();
    int end = start;
    for (RingNodeInfo worker : workers) {
      LayerRange range = worker.range().orElseThrow();
      if (!worker.stage().orElse("").equals(MIX)) {
        throw refused(worker.name() + " has the stage " + worker.stage().orElse("none"));
      }
      if (range.start() != end) {
        throw refused("the layers " + end + " to " + range.start() + " belong to no worker here");
      }
      end = range.end();
    }
    return new Mix(start, end);
  }

  private static JobException refused(String why) {
    return JobException.failed(
        Errno.EINVAL, "verify: mix needs all workers, and their layers on end: " + why, null);
  }
}
