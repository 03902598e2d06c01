package io.isle.lib.model.body;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.engine.Cost;
import io.isle.lib.model.engine.TreeEngines;
import io.isle.lib.model.form.TreeForm;

/**
 * Reads trees; {@link TreeProof} proves their shape. Trees may share nodes. Sums of trees cannot
 * overflow: they have 64 bits.
 */
final class TreeBody {
  private TreeBody() {}

  static ModelBody prove(BodyReader in, int features, int outputs) {
    int trees = in.count(1, TreeForm.MOST_TREES, "trees");
    int nodes = in.count(1, TreeForm.MOST_NODES, "nodes");
    int rows = in.count(1, TreeForm.MOST_NODES, "rows");
    in.zero(4, "reserved");
    in.need(
        4L * trees + (long) TreeForm.NODE_BYTES * nodes + 4L * rows * outputs,
        "roots, nodes and rows");
    int[] roots = in.words(trees, "roots");
    int[] thresholds = new int[nodes];
    int[] which = new int[nodes];
    int[] left = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      thresholds[i] = in.word();
      which[i] = in.half();
      in.zero(2, "node[" + i + "].reserved");
      left[i] = in.word();
      node(i, which[i], Integer.toUnsignedLong(left[i]), features, nodes, rows);
    }
    for (int i = 0; i < trees; i++) {
      BodyReader.range(Integer.toUnsignedLong(roots[i]), 0, nodes - 1, "root[" + i + "]");
    }
    TreeForm form =
        new TreeForm(outputs, roots, thresholds, which, left, in.words(rows * outputs, "rows"));
    in.end();
    int[] depths = TreeProof.depths(form);
    long loads = 0;
    for (int depth : depths) {
      loads += depth + 1 + Cost.lines(outputs);
    }
    long bytes = (long) TreeEngines.NODE_BYTES * nodes + 4L * rows * outputs;
    return new ModelBody(form, TreeEngines.of(form), Cost.ofLoads(loads, bytes));
  }

  private static void node(int i, int feature, long left, int features, int nodes, int rows) {
    if (feature == TreeForm.LEAF) {
      BodyReader.range(left, 0, rows - 1, "node[" + i + "].row");
      return;
    }
    BodyReader.range(feature, 0, features - 1, "node[" + i + "].feature");
    if (left > nodes - 2) {
      throw new ModelException(
          ModelFault.BAD_BODY,
          "node[" + i + "].left",
          left + " and the node behind it are not 0 to " + (nodes - 1));
    }
  }
}
