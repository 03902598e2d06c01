package io.isle.faces.shell.ring;

import io.isle.api.fabric.LayerRange;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A new ring on this platform: a master and its workers. The master has the first layers, as after
 * a resize. Immutable.
 *
 * @param nodes number of nodes, 2 to {@link #MOST_NODES}
 * @param dim numbers of 4 bytes in a payload
 * @param layers of the model, {@code nodes} or more
 * @param stage of all workers
 * @param dialect of all links
 * @param process of all workers
 */
record RingPlan(
    String name, int nodes, int dim, int layers, String stage, String dialect, String process) {
  /** A master, and as many workers as a control message has ranges for. */
  static final int MOST_NODES = LayerRange.MAX_RANGES + 1;

  /** The protocol of new rings. */
  static final String DIALECT = "isle";

  /** Room for the number of a node in its name. */
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,28}";

  RingPlan {
    if (!name.matches(NAME)) {
      throw ShellException.usage(
          "'" + name + "' is not a name of a ring: 1 to 29 letters, digits, . _ -");
    }
    if (nodes < 2 || nodes > MOST_NODES) {
      throw ShellException.usage("--nodes " + nodes + " is not in 2.." + MOST_NODES);
    }
    if (layers < nodes || layers > LayerRange.MAX_LAYERS) {
      throw ShellException.usage(
          "--layers "
              + layers
              + " is not in "
              + nodes
              + ".."
              + LayerRange.MAX_LAYERS
              + ": each node needs one");
    }
  }

  /** Names of the nodes in the order of the ring, the master first. */
  List<String> names() {
    return IntStream.range(0, nodes).mapToObj(i -> name + "-" + i).toList();
  }

  /**
   * Settings by name of the node.
   *
   * @param addresses where each node listens
   */
  Map<String, Map<String, String>> settings(List<String> addresses) {
    Map<String, Map<String, String>> all = new LinkedHashMap<>();
    for (int i = 0; i < nodes; i++) {
      Map<String, String> one = new LinkedHashMap<>();
      one.put("ring", name);
      one.put("role", i == 0 ? "master" : i == nodes - 1 ? "tail" : "worker");
      one.put("dim", Integer.toString(dim));
      one.put("layers", Integer.toString(layers));
      if (i > 0) {
        one.put("start", Integer.toString(boundary(i)));
        one.put("end", Integer.toString(boundary(i + 1)));
        one.put("stage", stage);
        one.put("process", process);
      }
      one.put("listen", addresses.get(i));
      one.put("next", addresses.get((i + 1) % nodes));
      one.put("prev.dialect", dialect);
      one.put("next.dialect", dialect);
      all.put(names().get(i), one);
    }
    return all;
  }

  private int boundary(int node) {
    return (int) ((long) layers * node / nodes);
  }
}
