package io.isle.lib.model.body;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.form.TreeForm;
import java.util.Arrays;

/**
 * Proves that no path comes back, that no path is too long, and that each node and each row is
 * used. Walks each node once, without recursion.
 */
final class TreeProof {
  private static final int UNSEEN = -1;
  private static final int OPEN = -2;

  private final TreeForm form;

  /** Most comparisons below a node, or {@link #UNSEEN}, or {@link #OPEN} while on the path. */
  private final int[] below;

  private final boolean[] rowUsed;

  /** Nodes of the current path. */
  private final int[] path;

  /** For each node of the path how many of its children are done. */
  private final byte[] done;

  private int length;

  private TreeProof(TreeForm form) {
    this.form = form;
    this.below = new int[form.nodes()];
    Arrays.fill(below, UNSEEN);
    this.rowUsed = new boolean[form.rows().length / form.outputs()];
    this.path = new int[form.nodes()];
    this.done = new byte[path.length];
  }

  /** Most comparisons of each tree. */
  static int[] depths(TreeForm form) {
    TreeProof proof = new TreeProof(form);
    int[] depths = new int[form.roots().length];
    for (int i = 0; i < depths.length; i++) {
      depths[i] = proof.depth(form.roots()[i], "tree[" + i + "]");
    }
    proof.complete();
    return depths;
  }

  private int depth(int root, String tree) {
    enter(root, tree);
    while (length > 0) {
      int node = path[length - 1];
      if (form.features()[node] == TreeForm.LEAF) {
        rowUsed[form.left()[node]] = true;
        leave(node, 0, tree);
      } else if (done[length - 1] < 2) {
        int child = form.left()[node] + done[length - 1]++;
        enter(child, tree);
      } else {
        int left = form.left()[node];
        leave(node, 1 + Math.max(below[left], below[left + 1]), tree);
      }
    }
    return below[root];
  }

  /** Puts a node on the path unless it is proven already. */
  private void enter(int node, String tree) {
    if (below[node] == OPEN) {
      throw new ModelException(
          ModelFault.CYCLE, "node[" + node + "]", "a path of " + tree + " comes back to it");
    }
    if (below[node] == UNSEEN) {
      below[node] = OPEN;
      path[length] = node;
      done[length++] = 0;
    }
  }

  private void leave(int node, int depth, String tree) {
    if (depth > TreeForm.MOST_DEPTH) {
      throw new ModelException(
          ModelFault.TOO_DEEP,
          "node[" + node + "]",
          tree + " has more than " + TreeForm.MOST_DEPTH + " comparisons on a path from it");
    }
    below[node] = depth;
    length--;
  }

  private void complete() {
    for (int i = 0; i < below.length; i++) {
      if (below[i] == UNSEEN) {
        throw new ModelException(
            ModelFault.UNREACHABLE, "node[" + i + "]", "no path from a root leads to it");
      }
    }
    for (int i = 0; i < rowUsed.length; i++) {
      if (!rowUsed[i]) {
        throw new ModelException(ModelFault.UNREACHABLE, "row[" + i + "]", "no leaf has it");
      }
    }
  }
}
