package io.isle.api.fabric;

import io.isle.api.base.Errno;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A new ring on this platform: a master NAME-0 and the workers NAME-1, NAME-2 ..., the last one the
 * tail. The layers of the model are divided evenly among all nodes, the first ones to the master.
 * Immutable.
 *
 * @param name name of the ring, 1 to {@link #NAME_LENGTH} letters, digits, {@code . _ -}
 * @param nodes number of nodes, 2 to {@link #MOST_NODES}
 * @param transport name of an installed transport
 * @param layers layers of the model, {@code nodes} to {@link LayerRange#MAX_LAYERS}
 * @param common further keys of the settings files of all nodes, such as {@code dim}
 * @param workers further keys of the settings files of the workers, such as {@code stage}
 */
public record RingPlan(
    String name,
    int nodes,
    String transport,
    int layers,
    Map<String, String> common,
    Map<String, String> workers) {
  /** A master, and as many workers as a control message has ranges for. */
  public static final int MOST_NODES = LayerRange.MAX_RANGES + 1;

  /** Longest name: the names of nodes need room for their numbers. */
  public static final int NAME_LENGTH = 29;

  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,28}";

  /**
   * @throws RingException EINVAL with the field and its limit
   */
  public RingPlan {
    common = Map.copyOf(common);
    workers = Map.copyOf(workers);
    if (!name.matches(NAME)) {
      throw refused(
          "'"
              + name
              + "' is not a name of a ring: 1 to "
              + NAME_LENGTH
              + " letters, digits, . _ -");
    }
    if (nodes < 2 || nodes > MOST_NODES) {
      throw refused("nodes: " + nodes + " is not in 2.." + MOST_NODES);
    }
    if (layers < nodes || layers > LayerRange.MAX_LAYERS) {
      throw refused(
          "layers: "
              + layers
              + " is not in "
              + nodes
              + ".."
              + LayerRange.MAX_LAYERS
              + ": each node needs one");
    }
  }

  private static RingException refused(String why) {
    return new RingException(Errno.EINVAL, why);
  }

  /** Names of the nodes in the order of the ring, the master first. */
  public List<String> names() {
    return IntStream.range(0, nodes).mapToObj(i -> name + "-" + i).toList();
  }

  /** The first layer of a node by its place in the ring; the layers, for the place behind it. */
  public int boundary(int node) {
    return (int) ((long) layers * node / nodes);
  }
}
